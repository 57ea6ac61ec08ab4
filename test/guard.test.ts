import type { AgentEvent } from '@unrut/engine/event';
import { describe, expect, test } from 'vitest';
import {
  createGuard,
  createMemoryLedger,
  defineDetector,
  defineRecovery,
  recommended,
  recordTo,
  UnrutError,
} from '../packages/cli/src/index.ts';

const equal = (i: number, more: object = {}): AgentEvent =>
  ({
    type: 'call-finished',
    session: 'main',
    at: i * 5000,
    call: { id: `c${i}`, tool: 'lookup_order', args: { order: 7 } },
    result: 'Order 7 was shipped on Monday.',
    ...more,
  }) as AgentEvent;

describe('a fault stays where it happened', () => {
  const broken = (part: 'step' | 'explain') =>
    defineDetector({
      name: 'broken',
      status: 'stable',
      watches: ['call-finished'],
      rungs: { first: 'note', highest: 'stop' },
      options: {},
      start: () => ({}),
      step: () => {
        if (part === 'step') throw new Error('token ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5');
        return { variant: 'x', count: 1, since: 0, keys: ['x'], strength: 1, facts: {} };
      },
      explain: () => {
        throw new Error('no words');
      },
      moves: [],
    });

  test.each(['step', 'explain'] as const)(
    'a detector whose %s throws is named, and the others still count',
    (part) => {
      const guard = createGuard({
        preset: { ...recommended, detectors: [broken(part), ...recommended.detectors] },
      });
      const verdicts = [1, 2, 3].map((i) => guard.observe(equal(i)));
      expect(verdicts[2]!.signals.map(({ detector }) => detector)).toEqual(['repeated-call']);
      expect(verdicts[2]!.plan?.rung).toBe('note');
      expect(verdicts[2]!.faults.map(({ where }) => where)).toEqual(['broken']);
      expect(JSON.stringify(verdicts)).not.toContain('ghp_aB3d');
    },
  );

  test('a recovery whose words throw is passed over for the next rung, and nothing of it is spent', () => {
    const mute = defineRecovery({
      name: 'mute',
      rung: 'note',
      answers: ['repeated-call'],
      needs: [],
      safety: 'advisory',
      options: {},
      plan: () => ({}),
      toModel: () => {
        throw new Error('no words');
      },
      toHuman: () => 'never read',
    });
    const guard = createGuard({
      preset: { ...recommended, recoveries: [...recommended.recoveries, mute] },
    });
    const verdict = [1, 2, 3].map((i) => guard.observe(equal(i)))[2]!;
    expect(verdict.faults.map(({ where }) => where)).toEqual(['mute']);
    expect(verdict.signals).toHaveLength(1);
    expect(verdict.plan?.rung).toBe('hint');
  });
});

describe('nested runs', () => {
  const child = (i: number): AgentEvent => equal(i, { session: 'child', parent: 'main' });

  test('a run with a session of its own reports to its parent by its name', () => {
    const guard = createGuard();
    for (let i = 1; i <= 3; i++) guard.observe(child(i));
    const { signals } = guard.observe({ type: 'user-spoke', session: 'main', at: 99_000 });
    expect(signals.map(({ detector, agent }) => [detector, agent])).toEqual([
      ['repeated-call', 'child'],
    ]);
    expect(guard.observe({ type: 'user-spoke', session: 'main', at: 99_500 }).signals).toEqual([]);
  });

  test('by ledger, one process per event: the parent keeps its own count and is notified of the child', async () => {
    const ledger = createMemoryLedger();
    const see = (event: AgentEvent) => recordTo(ledger).observe(event);
    for (const i of [1, 2]) await see(equal(i));
    for (const i of [3, 4, 5]) await see(child(i));
    const { signals } = await see(equal(6));
    expect(signals.map(({ agent }) => agent)).toEqual([undefined, 'child']);
  });
});

describe('what comes back from JSON', () => {
  test('null is missing, except as a result', () => {
    const guard = createGuard();
    const nulls = {
      agent: null,
      batch: null,
      id: null,
      refusedBy: null,
      exitCode: null,
      error: null,
    };
    const verdicts = [1, 2, 3].map((i) => guard.observe(equal(i, nulls)));
    expect(verdicts.flatMap(({ faults }) => faults)).toEqual([]);
    expect(verdicts[2]!.signals[0]?.text).toContain('returned the same result');
  });

  test.each([
    ['another version', { version: 2, sessions: {} }],
    ['no sessions', { version: 1, sessions: null }],
  ])('a snapshot that is %s is refused in one clear line', (_, from) => {
    expect(() => createGuard({ from: from as never })).toThrow(UnrutError);
  });

  test.each([[null], [{}], [{ policy: {} }], [{ outcomes: null, reader: null }]])(
    'a damaged session %j starts again',
    (state) => {
      const guard = createGuard({ from: { version: 1, sessions: { main: state } } as never });
      const verdicts = [1, 2, 3].map((i) => guard.observe(equal(i)));
      expect(verdicts.flatMap(({ faults }) => faults)).toEqual([]);
      expect(verdicts[2]!.signals).toHaveLength(1);
    },
  );

  test('any name of a session survives', () => {
    const guard = createGuard();
    for (const i of [1, 2]) guard.observe(equal(i, { session: '__proto__' }));
    const resumed = createGuard({ from: JSON.parse(JSON.stringify(guard.snapshot())) });
    expect(resumed.observe(equal(3, { session: '__proto__' })).signals).toHaveLength(1);
  });
});

test('sessions beyond the limit go, the least recently used first', () => {
  const guard = createGuard({ sessions: 2 });
  for (const session of ['a', 'b', 'a', 'c']) guard.observe(equal(1, { session }));
  expect(['a', 'b', 'c'].map((session) => guard.knows(session))).toEqual([true, false, true]);
});

test('arguments changed in place between calls are other arguments', () => {
  const guard = createGuard();
  const args = { path: '' };
  const raised = ['a', 'b', 'c', 'd'].flatMap((name, i) => {
    args.path = `${name}.txt`;
    const made = { session: 's', at: i * 5000, call: { id: 'the-same', tool: 'read_thing', args } };
    guard.observe({ ...made, type: 'call-proposed' });
    return guard.observe({
      ...made,
      type: 'call-finished',
      result: 'the same short text in each of them',
    }).signals;
  });
  expect(raised).toEqual([]);
});

test('the ledger says what was really performed', async () => {
  const ledger = createMemoryLedger();
  const { observe } = recordTo(ledger);
  await observe({
    type: 'plan-performed',
    session: 's',
    at: 1,
    plan: 'p1',
    rung: 'hint',
    failed: true,
  });
  await observe({
    type: 'text-added',
    session: 's',
    at: 2,
    channel: 'answer',
    text: 'a',
    done: true,
  });
  await observe({
    type: 'text-added',
    session: 's',
    at: 2,
    channel: 'answer',
    text: 'a',
    done: true,
  });
  const entries = await ledger.entries();
  expect(entries[0]!.data).toMatchObject({ plan: 'p1', rung: 'hint', failed: true });
  expect(entries).toHaveLength(3);
});

test('an agent whose calls need an approval is told to ask for it, not to get round it', () => {
  const guard = createGuard();
  const notes = ['npm test', 'npm run test', 'npx vitest run', 'npm test'].map((command, i) => {
    const { plan } = guard.observe({
      type: 'call-finished',
      session: 's',
      at: i * 30_000,
      call: { id: `c${i}`, tool: 'Bash', args: { command } },
      error: 'This command requires approval',
    });
    return plan?.toModel ?? '';
  });
  const said = notes.join('\n');
  expect(said).toContain('Say which permission is missing and what for, and ask the user.');
  expect(said).not.toContain('in another way');
});
