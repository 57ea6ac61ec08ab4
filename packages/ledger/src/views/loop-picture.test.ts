import { accountOf } from '@unrut/engine/account/account';
import { record } from '@unrut/test/server/seeded-ledger';
import { describe, expect, test } from 'vitest';
import { createMemoryLedger } from '../memory.ts';
import { asRecorded } from '../reports/recorded-entry.ts';
import { ignoredStop } from './loop-picture.ts';
import { sessionLoops } from './session-loops.ts';
import { timelineOf } from './timeline.ts';

const AT = 1_794_800_000_000;
const READ = 'Read {"file_path":"/p/a.ts"} -> "export const a = 1; // the first of them"';
const FAILS = 'Bash {"command":"npm test"} -> exit 1 "FAIL cart > adds a lamp: expected 2, got 3"';

async function lookedAt(lines: readonly string[]) {
  const ledger = createMemoryLedger();
  await record(ledger, { session: 's', lines, until: AT });
  const entries = await ledger.entries({ session: 's' });
  const moments = timelineOf(entries);
  return { moments, ...sessionLoops(accountOf(entries.map(asRecorded)), moments, false) };
}

describe('the picture of a loop', () => {
  test('has a lane for what repeats, and new information that falls to nothing', async () => {
    const { loops } = await lookedAt(['user "Fix it."', READ, `${FAILS} x6`]);
    const { lanes, steps, nothingSince } = loops[0]!.picture;
    expect(lanes).toMatchObject([{ what: 'npm test', times: 6 }]);
    expect(lanes[0]!.same + lanes[0]!.blocked).toBe(5);
    expect(steps[0]).toMatchObject({ letter: 'u', inLoop: false });
    expect(steps.filter(({ lane }) => lane === 0).map(({ novelty }) => novelty! > 0)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(nothingSince).toBe(2);
    expect(steps.some(({ act }) => act?.rung === 'note')).toBe(true);
  });

  test('says nothing of the kind while each answer is new', async () => {
    const { moments } = await lookedAt([
      'Bash {"command":"npm test"} -> exit 1 "12 failing: expected 2, got 3"',
      'Edit {"file_path":"/p/a.ts","old_string":"1","new_string":"2"} -> "The file was updated."',
      'Bash {"command":"npm test"} -> exit 1 "3 failing: cannot read the price of undefined"',
    ]);
    expect(moments.map(({ same }) => same)).toEqual([undefined, undefined, undefined]);
    expect(moments.every(({ novelty }) => novelty! > 0)).toBe(true);
  });

  test('of a long loop shows the beginning and the end', async () => {
    const { loops } = await lookedAt([`${FAILS} x200`]);
    const { steps, left, lanes } = loops[0]!.picture;
    expect(steps.length + left.steps).toBe(200);
    expect([steps.length, steps.at(-1)!.step, lanes[0]!.times]).toEqual([80, 199, 200]);
  });
});

describe('a stop', () => {
  test('that is not obeyed is shown with the steps that followed', async () => {
    const { moments } = await lookedAt([`${FAILS} x60`]);
    const stopped = moments.findIndex(({ plans }) => plans.some(({ rung }) => rung === 'stop'));
    expect(ignoredStop(moments)).toMatchObject({
      place: stopped,
      steps: moments.length - 1 - stopped,
    });
  });

  test('is not ignored if the agent obeys it, or if the user lets it continue', async () => {
    const { moments } = await lookedAt([`${FAILS} x60`]);
    const stopped = moments.findIndex(({ plans }) => plans.some(({ rung }) => rung === 'stop'));
    expect(ignoredStop(moments.slice(0, stopped + 1))).toBeUndefined();
    const spoke = { ...moments[stopped + 1]!, letter: 'u' as const };
    expect(ignoredStop([...moments.slice(0, stopped + 1), spoke, moments.at(-1)!])).toBeUndefined();
  });
});
