import { readFileSync } from 'node:fs';
import { usageError } from './exit.ts';

/** Variables that hold secrets. Each can stand in a file instead, which the variable with `_FILE` at its end names. */
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

/** The secrets that stand in files, by their variables. Throws in one line when one cannot be read, or is given twice. */
export function secretsInFiles(environment: NodeJS.ProcessEnv): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of SECRETS) {
    const file = environment[`${name}_FILE`];
    if (file === undefined || file === '') continue;
    if (environment[name]) throw usageError(`Set ${name} or ${name}_FILE; got both.`);
    found[name] = contentOf(name, file);
  }
  return found;
}

/** Files that hold one value often end in a line feed. */
function contentOf(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw usageError(`Cannot read ${name}_FILE, ${file}: ${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}.`);
  }
}
