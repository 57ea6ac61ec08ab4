import type { AgentEvent } from '@unrut/engine/event';
import { createGuard } from '@unrut/engine/guard';
import { withoutWaiting } from '@unrut/test/frameworks/without-waiting';
import { describe, expect, it } from 'vitest';
import type { FrameworkOptions } from './options.ts';
import { createToolRuns } from './tool-run.ts';

const ALL = ['note', 'hint', 'block', 'escalate', 'stop'] as const;
const SAME = 'Three pages were found, none of which says more about it than the others do.';
const of = { session: 's' };

function open(options: FrameworkOptions = {}) {
  const events: AgentEvent[] = [];
  const rungs: string[] = [];
  const guard = createGuard({ can: ALL, attended: false });
  const judge = {
    observe(event: AgentEvent) {
      events.push(event);
      return guard.observe(event);
    },
  };
  const runs = createToolRuns('test', {
    guard: judge,
    onPlan: ({ rung }) => void rungs.push(rung),
    ...options,
  });
  return { runs, events, rungs };
}

/** The same search up to 20 times, and the outcome of each. */
async function loop(
  { runs }: ReturnType<typeof open>,
  idOf = (n: number) => `call-${n}`,
  result = (_: number) => SAME,
): Promise<string[]> {
  const happened: string[] = [];
  for (let n = 1; n <= 20; n++) {
    const call = { id: idOf(n), tool: 'search', args: { q: 'foo' } };
    const { refuse, stop } = await runs.propose(of, call);
    if (stop) return [...happened, `${n} stop`];
    if (refuse) {
      happened.push(`${n} refused`);
      continue;
    }
    const after = await runs.finish(of, call, { result: result(n) });
    if (after.note) happened.push(`${n} told`);
    if (after.stop) return [...happened, `${n} stop`];
  }
  return happened;
}

describe('a run of tools', () => {
  it('is warned, blocked and stopped when it repeats, even if every call has the same id', async () => {
    const named = open();
    expect(await loop(named)).toEqual([
      '3 told',
      '4 told',
      '5 refused',
      '6 told',
      '7 refused',
      '8 refused',
      '9 stop',
    ]);
    expect([...new Set(named.rungs)]).toEqual([...ALL]);
    expect(await loop(open(), () => 'call_0')).toEqual(await loop(open()));
    expect(await loop(open(), () => '')).toEqual(await loop(open()));
  });

  it('gets no note while its results bring something new', async () => {
    const words =
      'maple birch cedar alder rowan hazel aspen elder holly beech larch plane yew oak ash elm fir lime box pine'.split(
        ' ',
      );
    const fresh = open();
    expect(
      await loop(fresh, undefined, (n) => `Found ${words[n - 1]} in the ${words[20 - n]} wood.`),
    ).toEqual([]);
    expect(fresh.rungs).toEqual([]);
  });

  it('counts a call once, however many hooks tell of it', async () => {
    const { runs, events } = open();
    const call = { id: 'a', tool: 'search', args: {} };
    await runs.propose(of, call);
    await runs.propose(of, call);
    await runs.finish(of, call, { error: 'away' });
    await runs.finish(of, call, { result: 'away' });
    expect(events.map(({ type }) => type)).toEqual(['call-proposed', 'call-finished']);
  });

  it('takes calls that are proposed together for one response, and calls after a result for the next', async () => {
    const { runs, events } = open();
    const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ id, tool: 'search', args: { q: id } }));
    await runs.propose(of, a!);
    await runs.propose(of, b!);
    await runs.finish(of, a!, { result: 1 });
    await runs.finish(of, b!, { result: 2 });
    await runs.propose(of, c!);
    const batches = events.map((event) =>
      event.type === 'call-proposed' || event.type === 'call-finished' ? event.batch : '',
    );
    expect(batches).toEqual(['a', 'a', 'a', 'a', 'c']);
  });

  it('continues after a stop when a person speaks', async () => {
    const stuck = open();
    await loop(stuck);
    const next = { id: 'next', tool: 'read', args: { path: 'a' } };
    expect((await stuck.runs.propose(of, next)).stop).toBeDefined();
    await stuck.runs.user(of, 'Try the other one.');
    expect(await stuck.runs.propose(of, next)).toEqual({});
  });

  it('keeps nested agents apart', async () => {
    const both = open();
    for (const agent of ['one', 'two'])
      for (const n of [1, 2]) {
        const call = { id: `${agent} ${n}`, tool: 'search', args: { q: 'foo' } };
        await both.runs.propose({ session: 's', agent }, call);
        expect(await both.runs.finish({ session: 's', agent }, call, { result: SAME })).toEqual({});
      }
  });

  it('delivers a note caused by a message with the next result', async () => {
    const { runs, rungs } = open();
    const text =
      'I will look at the file once more, and then I will look at the file once more. '.repeat(3);
    for (let n = 0; n < 6; n++) await runs.said(of, text);
    expect(rungs.length).toBeGreaterThan(0);
    const call = { id: 'a', tool: 'search', args: {} };
    await runs.propose(of, call);
    expect((await runs.finish(of, call, { result: 'x' })).note?.toModel).toMatch(/^Unrut/);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('broken'))],
    ['never answers', () => new Promise<never>(() => {})],
  ])('does nothing when the guard %s, and says so once', (_, observe) =>
    withoutWaiting(async () => {
      const faults: string[] = [];
      const { runs } = open({
        guard: { observe },
        onFault: ({ message }) => void faults.push(message),
      });
      expect(await runs.propose(of, { id: 'a', tool: 'search', args: {} })).toEqual({});
      expect(faults).toHaveLength(1);
    })(),
  );

  it('tells plans in shadow mode, and does nothing', async () => {
    const shadows: unknown[] = [];
    const shadow = open({
      guard: createGuard({ shadow: true }),
      onPlan: (_, about) => void shadows.push(about.shadow),
    });
    expect(await loop(shadow)).toEqual([]);
    expect(shadows[0]).toBe(true);
  });
});
