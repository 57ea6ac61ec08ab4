import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { scan } from './scan.ts';

const folder = mkdtempSync(join(tmpdir(), 'unrut-version-'));
afterAll(() => rmSync(folder, { recursive: true }));

function rollout(name: string, version: string): string {
  const at = { timestamp: '2026-04-11T14:10:00.000Z' };
  const said = { type: 'message', role: 'assistant', content: [{ text: 'Done.' }] };
  const path = join(folder, `${name}.jsonl`);
  const records = [
    { ...at, type: 'session_meta', payload: { id: name, cli_version: version } },
    { ...at, type: 'response_item', payload: said },
  ];
  writeFileSync(path, records.map((record) => JSON.stringify(record)).join('\n'));
  return path;
}

it('a version that nobody has tried is mentioned once, and is no failure', async () => {
  const paths = [
    rollout('a', '0.118.0'),
    rollout('b', '0.901.0'),
    rollout('c', '0.901.0'),
    rollout('d', '1.2.0'),
  ];
  const { problems } = await scan({ paths });
  expect(problems).toEqual([
    {
      file: paths[1],
      fatal: false,
      message:
        'Written by codex 0.901.0. The latest version that was tried is 0.166, so what is new may be missing.',
    },
    { file: paths[3], fatal: false, message: expect.stringContaining('codex 1.2.0') },
  ]);
});
