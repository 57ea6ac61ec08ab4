import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addEntry, readAccount, startAccount } from '@unrut/engine/account/account';
import type { AgentEvent } from '@unrut/engine/event';
import { createGuard } from '@unrut/engine/guard';
import { passingEntriesOf } from '@unrut/ledger/record';
import type { ScanReport } from '@unrut/ledger/report/scan-report';
import { scanText } from '@unrut/ledger/report/scan-text';
import { asRecorded } from '@unrut/ledger/reports/recorded-entry';
import { noColours } from '@unrut/ledger/text/paint';
import { afterAll, expect, it } from 'vitest';
import { scan } from './scan.ts';

const folder = mkdtempSync(join(tmpdir(), 'unrut-deeds-'));
afterAll(() => rmSync(folder, { recursive: true }));

const CALLS = 7;
const time = (i: number): string => new Date(Date.UTC(2026, 4, 1, 10, i)).toISOString();
const FAILED = 'Exit code 1\n1 failed: page.test.ts > last page';
const NOTE = 'Unrut (loop guard): `npm test` failed 3 times with the same error.';
const REFUSAL =
  'PreToolUse:Bash hook error: Unrut (loop guard) did not run `npm test`: it failed 4 times with the same error.';

/** A Claude Code transcript: the same failing command, with these results. */
const transcript = (results: readonly string[], note?: number) =>
  results.flatMap((content, i) => {
    const line = (type: string, more: object) => ({
      type,
      sessionId: 's',
      isSidechain: false,
      timestamp: time(i),
      ...more,
    });
    const use = { type: 'tool_use', id: `t${i}`, name: 'Bash', input: { command: 'npm test' } };
    const result = { type: 'tool_result', tool_use_id: `t${i}`, content, is_error: true };
    const told = { attachment: { type: 'hook_additional_context', content: [NOTE] } };
    return [
      line('assistant', { message: { id: `m${i}`, content: [use] } }),
      line('user', { message: { content: [result] } }),
      ...(note === i ? [line('attachment', told)] : []),
    ];
  });

async function scanned(records: readonly unknown[]): Promise<ScanReport> {
  const path = join(folder, 'run.jsonl');
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return scan({ paths: [path] });
}
const printed = (report: ScanReport): string =>
  scanText(report, { paint: noColours, width: 200, top: 9 }).join('\n');

const isRefused = (i: number): boolean => i === 4 || i === 5;
const guarded = transcript(
  Array.from({ length: CALLS }, (_, i) => (isRefused(i) ? REFUSAL : FAILED)),
  2,
);

it('a scan says what Unrut did in a run, and of a run without it what it would have done', async () => {
  const with_ = await scanned(guarded);
  expect(printed(with_)).toContain('Unrut has warned the agent (step 2), blocked the call (4).');
  expect(printed(with_)).not.toContain('would have');
  expect(with_.trajectories[0]?.did).toEqual([
    { step: 2, rung: 'note' },
    { step: 4, rung: 'block' },
    { step: 5, rung: 'block' },
  ]);
  const without = await scanned(transcript(Array.from({ length: CALLS }, () => FAILED)));
  expect(printed(without)).toContain('Unrut would have: warned the agent');
  expect(without.trajectories[0]).not.toHaveProperty('did');
});

it('a scan counts a run as the ledger counts it', async () => {
  const guard = createGuard({ shadow: true });
  const account = startAccount();
  const events = Array.from({ length: CALLS }, (_, i): AgentEvent[] => {
    const call = { id: `t${i}`, tool: 'Bash', args: { command: 'npm test' } };
    const base = { session: 's', at: Date.parse(time(i)), batch: `m${i}` };
    const ended = isRefused(i)
      ? { refusedBy: 'unrut' as const }
      : { result: FAILED, error: true, exitCode: 1 };
    return [
      { ...base, type: 'call-proposed', call },
      { ...base, type: 'call-finished', call, ...ended },
    ];
  }).flat();
  for (const event of events)
    for (const entry of passingEntriesOf(event, guard.observe(event)).map(asRecorded))
      addEntry(account, entry);
  const live = readAccount(account);
  const [run] = (await scanned(guarded)).trajectories;
  expect(live.loops.length).toBeGreaterThan(0);
  expect([
    run?.steps,
    run?.wastedSteps,
    run?.loops.map(({ start, end, count }) => [start, end, count]),
  ]).toEqual([
    live.steps,
    live.wasted.steps,
    live.loops.map(({ start, end, count }) => [start, end, count]),
  ]);
});

it('a note at the end of a result is not part of it', async () => {
  const results = Array.from(
    { length: CALLS },
    (_, i) => `${FAILED}${i < 2 ? '' : `\n\nUnrut (loop guard) again: it failed ${i} times.`}`,
  );
  const report = await scanned(transcript(results));
  expect(printed(report)).toContain('same answer as the last 6 times');
  expect(report.trajectories[0]?.did).toHaveLength(CALLS - 2);
});
