/** Providers that everybody has. */
const KNOWN: Readonly<Record<string, string>> = {
  openai: 'https://api.openai.com',
  anthropic: 'https://api.anthropic.com',
  gemini: 'https://generativelanguage.googleapis.com',
};

/** Names that a server has for paths of its own. */
const TAKEN = /^(?:v1|token|livez|readyz|metrics|assets|api)$/;

/**
 * Parses upstreams by their first path segment: the known providers, and `name=address`. Returns a
 * message if one is invalid.
 */
export function readUpstreams(
  given: readonly string[] = [],
): ReadonlyMap<string, URL> | { wrong: string } {
  const upstreams = new Map(Object.entries(KNOWN).map(([name, url]) => [name, new URL(url)]));
  for (const each of given) {
    const [, name = '', url = ''] = /^([\w-]+)=(https?:\/\/.+)$/.exec(each) ?? [];
    if (name === '' || TAKEN.test(name) || !URL.canParse(url)) return { wrong: each };
    const { username, password, search } = new URL(url);
    if (username + password + search !== '')
      return { wrong: `${name}=… with a password or a query` };
    upstreams.set(name, new URL(url));
  }
  return upstreams;
}
