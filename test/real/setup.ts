import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundlePrograms } from '../../scripts/build.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the programs of this package are, as they are shipped. */
    programs: string;
  }
}

/** Builds once what all runs install. */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'unrut-programs-'));
  await bundlePrograms(folder);
  project.provide('programs', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
