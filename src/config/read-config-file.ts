import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseJsonc } from './parse-jsonc.ts';

/** Whether a file must be run to know what it says. */
export const isCode = (path: string): boolean => !path.endsWith('.json');

/** What a config file holds. Synchronous, since an agent waits for it. Throws an error that says why it cannot be known. */
export function readConfigFile(path: string): unknown {
  try {
    return isCode(path) ? run(path) : parseJsonc(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(whyNot(path, error), { cause: error });
  }
}

/** Every Node that we support can require a module, if that awaits nothing at its top. */
function run(path: string): unknown {
  const loaded = createRequire(path)(path) as { default?: unknown };
  return typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : loaded;
}

function whyNot(path: string, error: unknown): string {
  if (path.endsWith('.ts') && !process.features.typescript)
    return `Node ${process.versions.node} does not run TypeScript, which takes 22.18 or later; write it as .js or .json`;
  const { code, message } = error instanceof Error ? (error as NodeJS.ErrnoException) : { code: undefined, message: String(error) };
  switch (code) {
    case 'ERR_REQUIRE_ASYNC_MODULE':
      return 'it awaits something at its top level, which a config may not do';
    case 'EACCES':
    case 'EPERM':
      return `it may not be read (${code})`;
    default:
      return message;
  }
}
