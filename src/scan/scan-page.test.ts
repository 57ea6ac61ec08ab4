import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lines, stuck } from '../../test/scan/neutral.ts';
import { scanPage } from '../report/html/scan-page.ts';
import { scan } from './scan.ts';

const folder = mkdtempSync(join(tmpdir(), 'unrut-page-'));
afterAll(() => rmSync(folder, { recursive: true }));

let page: string;
beforeAll(async () => {
  const path = join(folder, 'run.jsonl');
  writeFileSync(path, `${lines(stuck().map((step) => ({ ...step, i: step.i * 3 })))}WARN\n`);
  page = scanPage(await scan({ paths: [path] }));
});

it('a number that no step has is no step of the page', () => {
  expect(page.includes('data-steps="7"')).toBe(true);
  expect(page.includes('<i class="unknown"')).toBe(false);
});

it('a problem is told in its own words', () => {
  expect(page.includes('1 line skipped: not JSON.</li>')).toBe(true);
});
