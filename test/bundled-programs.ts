import { join } from 'node:path';
import { inject } from 'vitest';

/**
 * `unrut` and its hook as they are published, in a folder that all files share: what changes them
 * copies them first.
 */
export const bundledPrograms = (): { cli: string; hook: string } => ({
  cli: join(inject('programs'), 'cli.js'),
  hook: join(inject('programs'), 'hook.cjs'),
});
