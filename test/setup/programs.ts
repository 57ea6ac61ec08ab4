import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundlePrograms } from '../../scripts/build.ts';
import { buildReportPage } from '../../scripts/report-page.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the programs of this package are, as they are shipped. */
    programs: string;
  }
}

/**
 * Builds once what all files of all projects start. It starts several times as fast as the sources.
 */
export default async function setup({ vitest }: TestProject): Promise<(() => void) | undefined> {
  if (vitest.getProvidedContext().programs !== undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'unrut-programs-'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  await bundlePrograms(folder);
  writeFileSync(join(folder, 'report.html'), await buildReportPage());
  vitest.provide('programs', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
