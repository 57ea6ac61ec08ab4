import type { AgentEvent } from '@unrut/engine/event';
import { recordLoop } from '@unrut/test/views/recorded-run';
import { describe, expect, test } from 'vitest';
import { sessionFiguresOf } from '../figures/count-session.ts';
import { type SessionFigures, stateOf } from '../figures/session-figures.ts';
import type { LedgerEntry } from '../ledger.ts';
import { createMemoryLedger } from '../memory.ts';
import { createRecorder as recordTo } from '../recorder.ts';
import { sessionsText } from '../report/sessions-text.ts';
import { noColours } from '../text/paint.ts';
import { timelineOf } from './timeline.ts';

const AT = 1_794_800_000_000;

async function loop(tries: number, shadow = false): Promise<LedgerEntry[]> {
  const ledger = createMemoryLedger();
  await recordLoop(ledger, { session: 's', tries, at: AT, shadow });
  return ledger.entries();
}

/** Records these events, five seconds apart, with a new guard. */
async function recordEvents(events: object[]): Promise<LedgerEntry[]> {
  const ledger = createMemoryLedger();
  const guard = recordTo(ledger);
  for (const [i, event] of events.entries())
    await guard.observe({ session: 's', at: AT + i * 5000, ...event } as AgentEvent);
  return ledger.entries({ session: 's' });
}

const fails = (id: number, more: object = {}) => ({
  type: 'call-finished',
  call: { id: `c${id}`, tool: 'Bash', args: { command: 'npm test' } },
  error: '1 failed',
  ...more,
});
const reads = (id: number) => ({
  type: 'call-finished',
  call: { id: `r${id}`, tool: 'Read', args: { file_path: `src/part-${id}.ts` } },
  result: `export const part${id} = ${JSON.stringify({ id, text: `nothing like the others ${id * 7919}` })};`,
});
const writes = (id: number) => ({
  type: 'call-finished',
  call: {
    id: `w${id}`,
    tool: 'Write',
    args: { file_path: `src/new-${id}.ts`, content: `export const made${id} = ${id};` },
  },
  result: 'ok',
});

describe('the summary of a session', () => {
  test('counts steps, loops, plans and their outcomes', async () => {
    const summary = sessionFiguresOf('s', await loop(6));
    expect(summary).toMatchObject({
      session: 's',
      host: 'claude-code',
      folder: 'project',
      first: AT,
      ended: false,
      steps: 6,
      loops: 1,
      looping: true,
      plans: 4,
      highest: 'escalate',
      doing: 'npm test',
      outcomes: { recovered: 0, persisted: 3, relapsed: 0, unknown: 0 },
      why: expect.stringContaining('5 times'),
    });
  });

  test('calls a session looping only while it continues', async () => {
    const looped = [1, 2, 3].map((id) => fails(id));
    expect(sessionFiguresOf('s', await recordEvents(looped)).looping).toBe(true);
    expect(sessionFiguresOf('s', await recordEvents([...looped, reads(1)])).looping).toBe(true);
    expect(sessionFiguresOf('s', await recordEvents([...looped, reads(1), reads(2)])).looping).toBe(
      false,
    );
    expect(
      sessionFiguresOf('s', await recordEvents([...looped, { type: 'user-spoke' }])).looping,
    ).toBe(false);
    expect(
      sessionFiguresOf('s', await recordEvents([...looped, { type: 'session-ended' }])),
    ).toMatchObject({ looping: false, ended: true });
  });

  test('sees that a plan worked', async () => {
    const moved = [1, 2, 3, 4, 5].flatMap((id) => [reads(id), writes(id)]);
    const { outcomes } = sessionFiguresOf(
      's',
      await recordEvents([...[1, 2, 3].map((id) => fails(id)), ...moved]),
    );
    expect(outcomes).toEqual({ recovered: 1, persisted: 0, relapsed: 0, unknown: 0 });
  });

  test('counts what a nested agent does once, although the session sees it too', async () => {
    const entries = await recordEvents([
      reads(1),
      ...[1, 2, 3].map((id) => fails(id, { agent: 'helper' })),
      reads(2),
    ]);
    expect(
      entries.filter(
        ({ kind, agent, data }) =>
          kind === 'signal' && agent === undefined && data.agent === 'helper',
      ),
    ).not.toEqual([]);
    const { steps, loops, looping } = sessionFiguresOf('s', entries);
    expect({ steps, loops, looping }).toEqual({ steps: 5, loops: 1, looping: true });
  });

  test.each<[Partial<SessionFigures>, string]>([
    [{ ended: true, looping: false, last: AT }, 'ended'],
    [{ ended: false, looping: true, last: AT }, 'looping'],
    [{ ended: false, looping: false, last: AT - 60_000 }, 'running'],
    [{ ended: false, looping: true, last: AT - 400_000 }, 'silent'],
    [{ ended: false, stopped: true, looping: true, last: AT }, 'stopped'],
    [{ ended: false, stopped: true, looping: true, last: AT - 400_000 }, 'stopped'],
    [{ ended: true, stopped: true, looping: true, last: AT }, 'ended'],
  ])('tells the state of %j', (facts, state) => {
    expect(stateOf({ ...sessionFiguresOf('s', []), ...facts }, AT)).toBe(state);
  });
});

describe('a session that Unrut stopped', () => {
  const call = { id: 'c9', tool: 'search', args: { q: 'foo' } };
  const at = AT + 100_000;
  const entry = (kind: string, data: object, agent?: string) =>
    ({
      id: `${kind}`,
      session: 's',
      at,
      step: 9,
      kind,
      data,
      ...(agent ? { agent } : {}),
    }) as LedgerEntry;
  const plan = (facts: object = {}) =>
    entry('plan', { id: 'p', rung: 'stop', shadow: false, ...facts });
  const performed = (facts: object = {}, agent?: string) =>
    entry(
      'event',
      { type: 'plan-performed', plan: 'p', rung: 'stop', failed: false, ...facts },
      agent,
    );
  const finished = (facts: object = {}) =>
    entry('event', { type: 'call-finished', seen: { call: { label: 'search' } }, ...facts });
  const stateAfter = (...entries: LedgerEntry[]) => stateOf(sessionFiguresOf('s', entries), at);

  test.each([
    ['the host reports that it stopped', [plan(), performed()]],
    ['the host reports nothing', [plan()]],
    [
      'the call that Unrut refused is reported last',
      [plan(), performed(), finished({ refusedBy: 'unrut' })],
    ],
  ])('is stopped if %s', (_, entries) => {
    expect(stateAfter(...entries)).toBe('stopped');
  });

  test.each([
    ['the stop was only recorded', [plan({ shadow: true })]],
    ['the host could not stop', [plan(), performed({ failed: true })]],
    ['the host did less', [plan(), performed({ rung: 'block' })]],
    ['a nested agent was stopped', [performed({}, 'child')]],
    ['the user speaks', [plan(), performed(), entry('event', { type: 'user-spoke' })]],
    ['a call runs', [plan(), performed(), finished()]],
  ])('is not stopped if %s', (_, entries) => {
    expect(stateAfter(...entries)).toBe('running');
  });

  test('is stopped in the record of a loop of events, until the user speaks', async () => {
    const ledger = createMemoryLedger();
    const guard = recordTo(ledger, { can: ['note', 'hint', 'block', 'escalate', 'stop'] });
    let now = AT;
    for (let i = 0; i < 20; i++) {
      now += 5000;
      const event = { session: 's', call: { ...call, id: `c${i}` } };
      const { plan: before } = await guard.observe({ ...event, type: 'call-proposed', at: now });
      if (before?.rung === 'stop') break;
      const result = 'Nothing was found.';
      const refusedBy = before?.rung === 'block' ? ('unrut' as const) : undefined;
      const done = { ...event, type: 'call-finished', at: now + 1, result, refusedBy } as const;
      if ((await guard.observe(done)).plan?.rung === 'stop') break;
    }
    const state = async () => stateOf(sessionFiguresOf('s', await ledger.entries()), now);
    expect(await state()).toBe('stopped');
    await guard.observe({ type: 'user-spoke', session: 's', at: now + 9, text: 'Try elsewhere.' });
    expect(await state()).toBe('running');
  });
});

test('the list of sessions quotes a name with blanks where it says what to type', () => {
  const hint = (session: string) =>
    sessionsText([sessionFiguresOf(session, [])], {
      paint: noColours,
      width: 100,
      now: AT,
      names: new Map(),
      more: 0,
    }).at(-1);
  expect(hint('srv 2026-11-16T08:42:25')).toContain("unrut show 'srv 2026-11-16T08:42:25' shows");
  expect(hint('3f2a91bc')).toContain('unrut show 3f2a91bc shows');
});

describe('the timeline of a session', () => {
  test('has each step once, with its signals, plans, performed rungs and outcomes', async () => {
    const moments = timelineOf(await loop(6));
    expect(moments.map(({ step }) => step)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(new Set(moments.map(({ what }) => what))).toEqual(new Set(['npm test']));
    expect(moments[2]).toMatchObject({
      tool: 'Bash',
      signals: [{ detector: 'repeated-call', count: 3 }, {}],
      plans: [
        {
          rung: 'note',
          shadow: false,
          performed: { rung: 'note', failed: false },
          outcome: 'persisted',
        },
      ],
    });
    expect(moments[3]!.outcomes).toMatchObject([{ outcome: 'persisted' }]);
    expect(moments[4]).toMatchObject({
      brought: 'blocked by Unrut',
      plans: [{ rung: 'block', performed: { rung: 'block' } }],
    });
  });

  test('says where a plan was only recorded', async () => {
    const plans = timelineOf(await loop(4, true)).flatMap((moment) => moment.plans);
    expect(plans.map(({ rung, shadow }) => ({ rung, shadow }))).toEqual([
      { rung: 'note', shadow: true },
      { rung: 'hint', shadow: true },
    ]);
  });

  test('shows a person who speaks and the end apart from the steps', async () => {
    const entries = await recordEvents([
      reads(1),
      { type: 'user-spoke', text: 'go on' },
      reads(2),
      { type: 'session-ended' },
    ]);
    expect(timelineOf(entries).map(({ step, what }) => [step, what])).toEqual([
      [0, 'Read src/part-1.ts'],
      [undefined, 'the user speaks'],
      [1, 'Read src/part-2.ts'],
      [undefined, 'the session ends'],
    ]);
  });

  test('tells the outcome of a plan with the end of the session, and not in a row of its own', async () => {
    const moments = timelineOf(
      await recordEvents([fails(1), fails(2), fails(3), { type: 'session-ended' }]),
    );
    expect(moments.at(-1)).toMatchObject({
      what: 'the session ends',
      outcomes: [{ outcome: 'unknown' }],
    });
    expect(moments).toHaveLength(4);
  });

  test('shows a call that has not come back yet', async () => {
    const { type: _, result: __, ...call } = reads(1);
    expect(timelineOf(await recordEvents([{ ...call, type: 'call-proposed' }]))).toMatchObject([
      { step: 0, what: 'Read src/part-1.ts', brought: '' },
    ]);
  });

  test('shows entries of an earlier version by their tool', () => {
    const entry: LedgerEntry = {
      id: '1',
      session: 's',
      at: AT,
      kind: 'event',
      step: 0,
      data: { type: 'call-finished', tool: 'Bash' },
    };
    expect(timelineOf([entry])).toMatchObject([{ step: 0, what: 'Bash', brought: '' }]);
    expect(sessionFiguresOf('s', [entry]).steps).toBe(1);
  });
});
