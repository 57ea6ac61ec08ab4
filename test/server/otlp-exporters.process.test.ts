import type { LedgerEntry } from '@unrut/ledger/ledger';
import { describe, expect, test } from 'vitest';
import {
  CONVENTIONS,
  logsOf,
  sendLogs,
  sendSpans,
  spansOf,
  type ToldCall,
  WIRES,
} from './otlp-run.ts';
import { serveOtlp } from './otlp-server.ts';

const LOOP: ToldCall[] = Array.from({ length: 6 }, () => ({
  tool: 'Bash',
  args: { command: 'npm test' },
  error: 'Error: expected 2, got 3 at sum.test.ts:5',
}));

const WORK: ToldCall[] = [
  {
    tool: 'Bash',
    args: { command: 'npm test' },
    error: 'Error: expected 2, got 3 at sum.test.ts:5',
  },
  {
    tool: 'Read',
    args: { file_path: '/home/dev/project/sum.ts' },
    result: 'export const sum = (a, b) => a - b;',
  },
  {
    tool: 'Edit',
    args: { file_path: '/home/dev/project/sum.ts', old_string: 'a - b', new_string: 'a + b' },
    result: 'The file has been updated.',
  },
  { tool: 'Bash', args: { command: 'npm test' }, result: '12 passed' },
  { tool: 'Bash', args: { command: 'npm run lint' }, result: 'No complaints about 14 files.' },
];

const ofKind = (entries: readonly LedgerEntry[], kind: LedgerEntry['kind']): LedgerEntry[] =>
  entries.filter((each) => each.kind === kind);

describe.each(WIRES)("spans that OpenTelemetry's exporter sends as %s", (wire) => {
  test.each(Object.keys(CONVENTIONS))(
    'by %s: a loop is seen, and nobody is notified',
    async (name) => {
      const { url, ledger, settle } = await serveOtlp();
      await sendSpans(url, wire, spansOf(CONVENTIONS[name]!, 'thread-1', LOOP));
      await settle();
      const entries = await ledger.entries({ session: 'thread-1' });
      expect(ofKind(entries, 'event').map(({ data }) => [data.type, data.tool, data.host])).toEqual(
        LOOP.flatMap(() =>
          ['call-proposed', 'call-finished'].map((type) => [type, 'Bash', 'weather-agent']),
        ),
      );
      expect(ofKind(entries, 'signal').map(({ data }) => data.detector)).toContain('repeated-call');
      const plans = ofKind(entries, 'plan').map(({ data }) => data.shadow);
      expect(plans.length).toBeGreaterThan(0);
      expect(new Set(plans)).toEqual(new Set([true]));
      expect(ofKind(entries, 'outcome')).toEqual([]);
    },
  );

  test('of work that gets on raise nothing', async () => {
    const { url, ledger, settle } = await serveOtlp();
    for (const [name, convention] of Object.entries(CONVENTIONS))
      await sendSpans(url, wire, spansOf(convention, name, WORK));
    await settle();
    const entries = await ledger.entries();
    expect(ofKind(entries, 'event')).toHaveLength(
      2 * WORK.length * Object.keys(CONVENTIONS).length,
    );
    expect(ofKind(entries, 'signal')).toEqual([]);
  });
});

describe.each(WIRES)("log records that OpenTelemetry's exporter sends as %s", (wire) => {
  test.each(['claude_code', 'codex', 'gemini_cli', 'qwen-code'])(
    'of %s: a loop is seen',
    async (program) => {
      const { url, ledger, settle } = await serveOtlp();
      await sendLogs(url, wire, logsOf(program, 'session-1', LOOP));
      await settle();
      const signals = await ledger.entries({ session: 'session-1', kind: 'signal' });
      expect(signals.map(({ data }) => data.detector)).toContain('repeated-call');
    },
  );

  test('of work that gets on raise nothing', async () => {
    const { url, ledger, settle } = await serveOtlp();
    await sendLogs(url, wire, logsOf('claude_code', 'session-1', WORK));
    await settle();
    expect(ofKind(await ledger.entries(), 'event')).toHaveLength(2 * WORK.length);
    expect(await ledger.entries({ kind: 'signal' })).toEqual([]);
  });
});

test('the same spans and records give the same entries, whichever way they come', async () => {
  const spans = Object.entries(CONVENTIONS).flatMap(([name, convention]) =>
    spansOf(convention, name, [...LOOP, ...WORK]),
  );
  const records = logsOf('claude_code', 'session-1', [...LOOP, ...WORK]);
  const results = await Promise.all(
    WIRES.map(async (wire) => {
      const { url, ledger, settle } = await serveOtlp();
      await sendSpans(url, wire, spans);
      await sendLogs(url, wire, records);
      await settle();
      return ledger.entries();
    }),
  );
  expect(results[0]!.length).toBeGreaterThan(100);
  for (const entries of results.slice(1)) expect(entries).toEqual(results[0]);
});
