import { readFileSync } from 'node:fs';
import { UnrutError } from '@unrut/engine/errors';

/**
 * Variables that hold secrets. A variable with the suffix `_FILE` can name a file with the secret
 * instead.
 */
const SECRETS = [
  'UNRUT_TOKEN',
  'UNRUT_LEDGER',
  'UNRUT_LEDGER_READS',
  'UNRUT_SECRET',
  'UNRUT_OIDC_CLIENT_SECRET',
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'GEMINI_API_KEY',
] as const;
/** The secrets that a hook needs. */
export const SECRETS_OF_HOOKS = ['UNRUT_TOKEN', 'UNRUT_LEDGER'] as const;

const usageError = (message: string): UnrutError => new UnrutError('usage', message);

/**
 * Reads the secrets in files, by variable name. Throws if a file cannot be read, or if it
 * contradicts its variable.
 */
export function secretsInFiles(
  environment: NodeJS.ProcessEnv,
  names: readonly string[] = SECRETS,
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const file = environment[`${name}_FILE`];
    if (file === undefined || file === '') continue;
    found[name] = contentOf(name, file);
    // A program that we start gets both.
    if (environment[name] && environment[name] !== found[name])
      throw usageError(`Set ${name} or ${name}_FILE; got both.`);
  }
  return found;
}

/** Files with a single value often end in a newline. */
function contentOf(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw usageError(
      `Cannot read ${name}_FILE, ${file}: ${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}.`,
    );
  }
}
