import { usageError } from './exit.ts';

/** The address of a server that speaks HTTP. */
export function urlOption(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw usageError(`--url takes an address such as https://example.com/mcp; got ${given}.`);
}

/** Parses a port, or a host and a port. */
export function listenOption(given: string): { host: string; port: number } {
  const [, host = '127.0.0.1', digits] = /^(?:\[?([^\]]+?)\]?:)?(\d{1,5})$/.exec(given) ?? [];
  const port = Number(digits);
  if (digits !== undefined && port < 65_536) return { host, port };
  throw usageError(
    `--listen takes a port, or a host and a port such as 127.0.0.1:4718; got ${given}.`,
  );
}

/**
 * Headers from `Name: value`, with variables of the environment put in, so that no secret need
 * stand on the command line.
 */
export function headerOptions(
  given: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    given.map((header) => {
      const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/.exec(header) ?? [];
      if (name === undefined)
        throw usageError(
          `--header takes Name: value; got something else (${header.length} characters).`,
        );
      return [
        name.toLowerCase(),
        value!.replace(/\$\{(\w+)\}/g, (_, variable: string) => variableOf(variable, environment)),
      ];
    }),
  );
}

function variableOf(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const value = environment[name];
  if (value !== undefined) return value;
  throw usageError(`--header uses the variable ${name}, which is not set.`);
}
