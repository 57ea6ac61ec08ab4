import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder of built programs and pages: next to this file or above it if it is bundled; in a
 * checkout, the build's output.
 */
export function builtFolder(): string {
  const folder = dirname(fileURLToPath(import.meta.url));
  return (
    [folder, dirname(folder)].find((each) => existsSync(join(each, 'hook.cjs'))) ??
    fileURLToPath(new URL('../../../../dist', import.meta.url))
  );
}
