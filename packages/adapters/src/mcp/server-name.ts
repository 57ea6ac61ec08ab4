import { basename } from 'node:path';

/** Programs that only start another one, which is named by the first argument that is no option. */
const STARTERS =
  /^(?:npx|npm|pnpm|yarn|bunx|bun|node|deno|uvx|uv|python\d?|py|docker|podman|cmd|sh|bash)(?:\.exe|\.cmd)?$/i;
const WORDS = /^(?:exec|run|dlx|x|tool|dist|build|src|bin|index|main|cli|server)$/i;

/**
 * A short name for a server, from the command that starts it: `npx -y @playwright/mcp@latest` is
 * `playwright-mcp`.
 */
export function serverName([command = '', ...args]: readonly string[]): string {
  const program = basename(command);
  const named = STARTERS.test(program)
    ? args.find((argument) => !argument.startsWith('-') && !WORDS.test(argument))
    : command;
  return tidy(named ?? '') || tidy(program) || 'server';
}

/** The name of a server by its address. */
export const addressName = (address: URL): string => tidy(address.host) || 'server';

/** The last telling parts of a package's name or of a path, without version and ending. */
function tidy(name: string): string {
  const parts = name
    .replace(/(?<=.)@[^@/\\]*$/, '')
    .split(/[/\\]/)
    .map((part) => part.replace(/^@|\.[cm]?[jt]s$|\.py$|\.exe$/g, ''))
    .filter((part) => part !== '' && !WORDS.test(part));
  const telling = name.startsWith('@') ? parts : parts.slice(-1);
  return telling
    .join('-')
    .replace(/[^\w.:-]+/g, '-')
    .slice(0, 60);
}
