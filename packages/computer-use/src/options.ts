import { optionChecks } from '@unrut/engine/schema/checks';

const { aFunction, anObject, flag, is, keysOf, listOf, number, text, withMethods } = optionChecks;

const names = listOf(text, 'a list of names');
const milliseconds = number({ from: 0 });

const plan = keysOf({
  values: listOf(
    keysOf({ label: text, value: text, secret: flag }, 'an object with `label` and `value`'),
    'a list of objects with `label` and `value`',
  ),
  steps: listOf(anObject(), 'a list of steps'),
  required: listOf(text),
  until: anObject(),
});

/** Validation of a step guard's options. */
export const stepGuardChecks = {
  task: text,
  plan,
  guard: withMethods('observe'),
  session: text,
  off: names,
  environment: anObject(),
  allow: names,
  director: is(
    (value) => value === null || typeof value === 'function',
    'a function that gets what is on the screen and returns one action, or null',
  ),
  patience: keysOf({
    still: milliseconds,
    most: milliseconds,
    idle: milliseconds,
    turn: milliseconds,
  }),
};

/** Validation of a runner's options. */
export const runnerChecks = {
  ...stepGuardChecks,
  brain: withMethods('propose'),
  page: withMethods('goto', 'screenshot'),
  maxSteps: number({ integer: true, from: 1 }),
  signal: anObject(),
  uploads: listOf(text, 'a list of paths'),
  onStep: aFunction,
  onEnd: aFunction,
  finish: aFunction,
  escalate: aFunction,
};
