import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Where our programs and pages are: next to this file or above it, when it is bundled itself; in a
 * checkout, where the build puts them.
 */
export function builtFolder(): string {
  const folder = dirname(fileURLToPath(import.meta.url));
  return (
    [folder, dirname(folder)].find((each) => existsSync(join(each, 'hook.cjs'))) ??
    fileURLToPath(new URL('../../../../dist', import.meta.url))
  );
}
