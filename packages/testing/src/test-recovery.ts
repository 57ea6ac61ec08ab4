import { RUNGS } from '@unrut/engine/event';
import type { Recovery, Situation } from '@unrut/engine/recoveries/recovery';
import { type Case, check } from './case.ts';

const SCOLDS = /\b(?:you must not|stop doing|you are wrong|bad|stupid|how many times)\b/i;

/** A situation as the guard would hand it over, for testing a recovery. */
export function situation(changes: Partial<Situation> = {}): Situation {
  const evidence = {
    variant: 'consecutive',
    count: 3,
    since: 4,
    keys: ['k'],
    strength: 0.7,
    facts: { call: 'npm test', remedy: 'look first' },
  };
  return {
    signal: {
      detector: 'repeated-call',
      variant: 'consecutive',
      step: 6,
      since: 4,
      count: 3,
      strength: 0.7,
      rung: 'note',
      streak: 's1',
      evidence,
      text: '`npm test` returned the same result 3 times',
    },
    moves: ['use the result you already have', 'change something first', 'say what is missing'],
    tried: [],
    attended: true,
    learned: {},
    proposed: null,
    isEnding: false,
    ...changes,
  };
}

/**
 * What every recovery promises: plain data, two texts for two readers, no scolding, the same answer
 * to the same question.
 */
export function testRecovery(
  recovery: Recovery,
  situations: readonly Situation[] = [situation(), situation({ attended: false })],
): Case[] {
  return [
    {
      name: `${recovery.name}: names a rung and whom it answers`,
      run: () => {
        check(
          RUNGS.includes(recovery.rung),
          `expected a rung of ${RUNGS.join(', ')}, got ${recovery.rung}`,
        );
        check(recovery.answers.length > 0, 'expected at least one detector, or *');
        check(
          ['advisory', 'reversible', 'irreversible'].includes(recovery.safety),
          `unknown safety ${recovery.safety}`,
        );
      },
    },
    ...situations.map((given, i) => ({
      name: `${recovery.name}: plans plain data and words it for both readers (${i + 1})`,
      run: () => {
        const before = JSON.stringify(given);
        const action = recovery.plan(given, recovery.options);
        check(
          JSON.stringify(recovery.plan(given, recovery.options)) === JSON.stringify(action),
          'the same situation must give the same plan',
        );
        check(
          action === null ||
            JSON.stringify(JSON.parse(JSON.stringify(action))) === JSON.stringify(action),
          'a plan must be plain JSON',
        );
        const model = recovery.toModel(given);
        const human = recovery.toHuman(given);
        check(
          model.length > 20 && model.length < 1200,
          `toModel should be some sentences, got ${model.length} characters`,
        );
        check(
          human.length > 10 && human.length < 400 && !human.includes('\n'),
          'toHuman should be one line',
        );
        check(model !== human, 'a model and a person are different readers');
        check(!SCOLDS.test(model), 'toModel must not scold');
        check(JSON.stringify(given) === before, 'a recovery must not change what it is given');
      },
    })),
  ];
}
