import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scanContent } from '@unrut/ledger/report/html/scan-page';
import { lines, stuck } from '@unrut/test/scan/neutral';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scan } from './scan.ts';

const folder = mkdtempSync(join(tmpdir(), 'unrut-page-'));
afterAll(() => rmSync(folder, { recursive: true }));

let page: string;
beforeAll(async () => {
  const path = join(folder, 'run.jsonl');
  writeFileSync(path, `${lines(stuck().map((step) => ({ ...step, i: step.i * 3 })))}WARN\n`);
  page = JSON.stringify(scanContent(await scan({ paths: [path] })));
});

it('a number that no step has is no step of the page', () => {
  expect(page).toMatch(/"letters":"[a-z-]{7,8}"/);
});

it('a problem is shown in its own words', () => {
  expect(page).toContain('"message":"1 line skipped: not JSON."');
});
