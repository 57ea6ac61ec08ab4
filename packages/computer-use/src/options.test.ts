import { describe, expect, it } from 'vitest';
import { createScriptedBrain } from './brains/scripted.ts';
import { createRunner, type RunnerOptions } from './runner.ts';
import { StepGuard } from './step-guard.ts';

const page = { goto() {}, screenshot() {} };
const right = { page: page as never, task: 'Save it.', brain: createScriptedBrain([]) };

describe('an option of a runner that is wrong', () => {
  it.each<[object, string]>([
    [{ off: 'loop-recovery' }, '`off` to be a list of names, got'],
    [{ off: ['nope'] }, '`nope`'],
    [{ allow: 'loop-recovery' }, '`allow` to be a list of names, got'],
    [{ allow: [7] }, '`allow[0]` to be a string, got `7`'],
    [{ maxSteps: 0 }, '`maxSteps` to be an integer of at least 1, got `0`'],
    [{ plan: { values: { Name: 'Ada' } } }, '`plan.values` to be a list of objects'],
    [{ plan: { values: [{ label: 'Name' }, 'Ada'] } }, '`plan.values[1]` to be an object with'],
    [{ brain: 'claude' }, '`brain` to be an object with `propose()`, got'],
    [{ brain: undefined }, '`brain` to be an object with `propose()`, got `null`'],
    [{ page: null }, '`page` to be an object with `goto()` and `screenshot()`, got `null`'],
    [{ task: 3 }, '`task` to be a string, got `3`'],
    [{ patience: { still: 'long' } }, '`patience.still` to be a number of at least 0'],
    [{ guard: {} }, '`guard` to be an object with `observe()`'],
    [{ escalate: true }, '`escalate` to be a function'],
    [{ maxStep: 3 }, 'Unknown key `maxStep`. Did you mean `maxSteps`?'],
  ])('%j is one clear error at once', (wrong, words) => {
    expect(() => createRunner({ ...right, ...wrong } as RunnerOptions)).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^\[unrut\] \[computer-use\] /) }),
    );
    expect(() => createRunner({ ...right, ...wrong } as RunnerOptions)).toThrow(words);
  });

  it('twin: options that are right, undefined or left out are no error', () => {
    const values = [{ label: 'Name', value: 'Ada', secret: false }];
    const plan = { values, until: { text: 'Saved' } };
    const options = { plan, off: [], allow: ['loop-recovery'] as const, patience: { still: 0 } };
    expect(() => [
      new StepGuard(options),
      new StepGuard({ session: undefined as never }),
    ]).not.toThrow();
  });
});
