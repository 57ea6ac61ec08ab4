import { readFileSync } from 'node:fs';
import { type AgentEvent, RUNGS } from '@unrut/engine/event';
import { createGuard, type GuardOptions } from '@unrut/engine/guard';
import { expect, test } from 'vitest';
import { CLIMBS, type StreakState } from '../../packages/engine/src/policy/ladder-table.ts';
import type { PolicyState } from '../../packages/engine/src/policy/policy-state.ts';
import { ladderFile, MOVES, withLadder } from '../../scripts/ladder-page.ts';
import { makeLadderPicture, pictureFile } from '../../scripts/ladder-picture.ts';
import { LOOPS } from './loops.ts';
import { type Turn, times } from './play.ts';

/** Where the streaks of the only session are, by id. */
function statesOf({ streaks, ending }: PolicyState): Map<string, StreakState> {
  return new Map(
    streaks.map(({ id, rung, ended, tried }): [string, StreakState] => {
      if (ended)
        return [id, tried.length > 0 && tried.every(({ heard }) => heard) ? 'forgiven' : 'faded'];
      const state = rung < 0 ? 'seen' : CLIMBS[rung]!.to;
      return [id, ending?.streak === id && state !== 'stopped' ? 'ending' : state];
    }),
  );
}

interface Step {
  event: AgentEvent;
  /** `told → hinted`, or `→ told` for a new streak. */
  moves: string[];
}

const NEW_FILE = (i: number): Turn => ({
  tool: 'Read',
  args: { file_path: `/p/new${i}.ts` },
  result: `export const name${i * 7919} = '${(i + 11) ** 9}';\n`.repeat(3),
});
const READ: Turn = {
  tool: 'Read',
  args: { file_path: '/p/src/a.ts' },
  result: 'export const a = 1;\n'.repeat(9),
};
const SPEAKS = 'user-spoke';

/** Plays calls, and what the user says between them, to one guard. */
function moves(turns: readonly (Turn | typeof SPEAKS)[], options: GuardOptions): Step[] {
  const guard = createGuard(options);
  const steps: Step[] = [];
  let before = new Map<string, StreakState>();
  const see = (event: AgentEvent): string | undefined => {
    const { plan } = guard.observe(event);
    const session = guard.snapshot().sessions.s as unknown as { policy: PolicyState };
    const after = statesOf(session.policy);
    const found: string[] = [];
    for (const [id, state] of after)
      if (before.get(id) !== state) found.push(`${before.get(id) ?? ''} → ${state}`.trim());
    for (const [id, state] of before) if (!after.has(id)) found.push(`${state} → gone`);
    before = after;
    steps.push({ event, moves: found });
    return plan?.rung;
  };
  let at = 1_700_000_000_000;
  for (const [i, turn] of turns.entries()) {
    at += 2000;
    if (turn === SPEAKS) {
      see({ type: 'user-spoke', session: 's', at, text: 'Go on.' });
      continue;
    }
    const { tool = 'Bash', run, args = { command: run }, after: _, ...answer } = turn;
    const base = { session: 's', batch: `b${i}`, call: { id: `c${i}`, tool, args } };
    const rung = see({ type: 'call-proposed', at, ...base } as AgentEvent);
    if (rung === 'stop') break;
    const rest = rung === 'block' ? { refusedBy: 'unrut' } : answer;
    const ended = see({ type: 'call-finished', at: at + 50, ...base, ...rest } as AgentEvent);
    if (ended === 'stop') break;
  }
  return steps;
}

const HOSTS: readonly GuardOptions[] = [
  {},
  { attended: false },
  { attended: false, can: ['note', 'hint', 'escalate', 'stop'] },
  { attended: false, can: ['note', 'stop'] },
];

const RUNS: readonly (readonly (Turn | typeof SPEAKS)[])[] = [
  ...LOOPS.map(({ loop }) => times(80, loop)),
  times(20, READ),
  [...times(5, READ), SPEAKS, ...times(20, READ)],
  [...times(7, READ), SPEAKS, ...times(20, READ)],
  [...times(5, READ), ...times(4, NEW_FILE), SPEAKS, ...times(20, READ)],
  [...times(5, READ), ...times(4, NEW_FILE), ...times(20, READ)],
  [...times(4, READ), { ...READ, result: 'export const b = 2;\n'.repeat(9) }, ...times(20, READ)],
  [...times(8, READ), ...times(1, NEW_FILE), ...times(20, READ)],
  [...times(8, READ), ...times(9, (i) => ({ run: `ls /p/${i % 2}`, result: 'a b', exitCode: 0 }))],
];

const seen = RUNS.flatMap((turns) => HOSTS.flatMap((options) => moves(turns, options)));

const heightOf = (state: string): number => CLIMBS.findLastIndex(({ to }) => to === state);

/** The moves of the table that lead from one state to another. */
function rowsFor(from: string, to: string): string[] {
  const rows = MOVES.filter(
    (move) =>
      (move.from as readonly string[]).includes(from) &&
      (move.gives === to || (move.gives === 'back' && (to === 'seen' || heightOf(to) >= 0))),
  ).map(({ name }) => name);
  const isClimb = heightOf(to) >= 0 && (heightOf(to) > heightOf(from) || from === 'ending');
  return isClimb ? [...rows, `climb to ${to}`] : rows;
}

test('docs/ladder.md shows the table; else run `npm run format`', () => {
  const page = readFileSync(ladderFile, 'utf8');
  expect(page).toContain('stateDiagram-v2');
  expect(page).toBe(withLadder(page));
});

test('the ladder has one climb for each rung, in their order', () => {
  expect(CLIMBS.map(({ rung }) => rung)).toEqual(RUNGS);
});

test('streaks move only as the table says', () => {
  const unknown = seen.flatMap(({ event, moves: found }) =>
    found
      .filter((move) => !move.startsWith('→'))
      .filter((move) => {
        const [from, to] = move.split(' → ');
        return rowsFor(from!, to!).length === 0;
      })
      .map((move) => `${event.type}: ${move}`),
  );
  expect([...new Set(unknown)]).toEqual([]);
});

test('every move of the table that changes a state happens', () => {
  const happened = new Set(
    seen.flatMap(({ moves: found }) =>
      found.flatMap((move) => rowsFor(...(move.split(' → ') as [string, string]))),
    ),
  );
  const expected = MOVES.filter(({ gives }) => gives !== 'same').map(({ name }) => name);
  expect(expected.filter((name) => !happened.has(name))).toEqual([]);
  expect(happened).toContain('climb to stopped');
});

test('the picture of the concepts shows the rungs of the table', () => {
  expect(readFileSync(pictureFile, 'utf8')).toBe(makeLadderPicture());
});
