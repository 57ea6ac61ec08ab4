import type { AgentEvent } from '@unrut/engine/event';
import { createGuard } from '@unrut/engine/guard';
import type { Trajectory } from '@unrut/ledger/report/scan-report';
import { call, person, type Step, stuck } from '@unrut/test/scan/neutral';
import { describe, expect, it } from 'vitest';
import { neutralSteps } from '../importers/neutral-steps.ts';
import { createSource, type Imported } from '../importers/source.ts';
import { unrutEvents } from '../importers/unrut-events.ts';
import { createRunScan } from './run-scan.ts';

/** The report on the runs in these records, by id. */
function scanned(records: readonly unknown[], importer = neutralSteps): Map<string, Trajectory> {
  const guard = createGuard();
  const runs = new Map<string, ReturnType<typeof createRunScan>>();
  const event = (imported: Imported): void => {
    const id = imported.event.session;
    if (!runs.has(id)) runs.set(id, createRunScan(guard, {}));
    runs.get(id)!.see(imported);
  };
  const reading = importer.open(createSource('run', { event, unknown() {} }));
  for (const record of records) reading.read(record);
  return new Map(
    [...runs].map(([id, run]) => [
      id,
      run.report({ id, file: 'file', format: importer.name, skipped: 0 }),
    ]),
  );
}
const only = (records: readonly unknown[], importer = neutralSteps): Trajectory =>
  scanned(records, importer).values().next().value!;

describe('whatever a source calls its steps', () => {
  it.each([
    ['may leap', (i: number) => i * 7],
    ['may be times', (i: number) => 1_760_000_000_000 + i * 1000],
    ['may leap far', (i: number) => i * 2000],
  ])('its indices %s: steps are counted as they come', (_, index) => {
    const run = only(stuck().map((step) => ({ ...step, i: index(step.i) })));
    expect(run).toMatchObject({ steps: 7, wastedSteps: 5, timeline: 'neeeeee' });
    expect(run.loops).toMatchObject([{ start: 1, firedAt: 3, end: 6, wastedSteps: 5 }]);
    expect(run.loops[0]!.repeats.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('indices that begin again begin another run', () => {
    const runs = scanned([...stuck(), ...stuck()]);
    expect([...runs].map(([id, { steps, loops }]) => `${id} ${steps} ${loops.length}`)).toEqual([
      'run 7 1',
      'run#2 7 1',
    ]);
  });

  it('indices that stand still or go back are counted on', () => {
    expect(only(stuck().map((step) => ({ ...step, i: 0 })))).toMatchObject({
      steps: 7,
      loops: [{ start: 1, end: 6 }],
    });
    expect(only(stuck().map((step) => ({ ...step, i: 20 - step.i })))).toMatchObject({
      steps: 7,
      loops: [{ start: 1, end: 6 }],
    });
  });

  it('records with an invalid index are left out', () => {
    const odd = [-1, 1.5, 2 ** 60, Number.NaN].map((i) => ({ ...person(0, 'x'), i }));
    expect(only([...stuck(), ...odd]).steps).toBe(7);
  });
});

const finished = (id: string, at: number, batch: string): AgentEvent => ({
  type: 'call-finished',
  session: 's',
  at,
  batch,
  call: { id, tool: 'lookup', args: { key: id.replace(/\d+-/, '') } },
  result: `The answer to ${id.replace(/\d+-/, '')} is the same as ever, and always will be.`,
});

it('results that come in another order than their calls leave signals in the order of steps, and plans in the order of time', () => {
  const events: AgentEvent[] = [];
  for (let round = 0; round < 6; round++) {
    const ids = ['a', 'b', 'c'].map((key) => `${round}-${key}`);
    for (const [i, id] of ids.entries()) {
      const { call: made, batch } = finished(id, 0, `${round}`) as Extract<
        AgentEvent,
        { type: 'call-finished' }
      >;
      events.push({
        type: 'call-proposed',
        session: 's',
        at: round * 9000 + i,
        call: made,
        batch: batch!,
      });
    }
    for (const [i, id] of ids.toReversed().entries())
      events.push(finished(id, round * 9000 + 100 + i, `${round}`));
  }
  const { signals, loops } = only(events, unrutEvents);
  const steps = signals.map(({ step }) => step);
  expect(steps.length).toBeGreaterThan(3);
  expect(steps).toEqual([...steps].sort((one, other) => one - other));
  const rungs = ['note', 'hint', 'substitute', 'block', 'redirect', 'escalate', 'stop'];
  for (const { plans } of loops) {
    const climbed = plans.map(({ rung }) => rungs.indexOf(rung));
    expect(climbed).toEqual([...climbed].sort((one, other) => one - other));
  }
});

it('reasoning is no step; acts, outputs and idle ticks are', () => {
  const thinking: AgentEvent = {
    type: 'text-added',
    session: 's',
    at: 1,
    channel: 'thinking',
    done: true,
    text: 'Let me think.',
  };
  const act: AgentEvent = {
    type: 'action-finished',
    session: 's',
    at: 2000,
    action: { type: 'click' },
    target: { role: 'button', name: 'Save' },
  };
  const output: AgentEvent = {
    type: 'output-finished',
    session: 's',
    at: 4000,
    output: 'Done with the first part.',
  };
  const idle: AgentEvent = { type: 'idle', session: 's', at: 6000, reason: 'nothing to do' };
  expect(only([thinking, act, output, idle], unrutEvents)).toMatchObject({
    steps: 3,
    timeline: '?mw',
  });
});

it('a command that speaks of steps is quoted as it is', () => {
  const steps: Step[] = [
    person(100, 'Go.'),
    ...[1, 2, 3, 4].map((n) => call(100 + n, 'Bash', { command: 'grep "of step 3" log.txt' }, '')),
  ];
  const [loop] = only(steps).loops;
  expect(loop!.text).toContain('of step 3');
});

describe('results that cannot be read', () => {
  const hidden = (i: number): Step => call(i, 'look', { at: i }, null);

  it('are counted as a share of the calls', () => {
    const steps = [hidden(0), hidden(1), hidden(2), call(3, 'look', { at: 3 }, 'a tree')];
    expect(only(steps).unreadResults).toBe(0.75);
  });

  it('are not mentioned if all results can be read', () => {
    expect(only(stuck())).not.toHaveProperty('unreadResults');
  });
});
