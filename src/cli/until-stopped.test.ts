import { expect, test } from 'vitest';
import { SIGNALS, untilStopped } from './until-stopped.ts';

const listeners = (): number[] => SIGNALS.map((name) => process.listenerCount(name));

test.each(SIGNALS)('%s asks a process to end in order, and the next one ends it at once, whichever it is', (name) => {
  const before = listeners();
  const signal = untilStopped();
  expect(listeners()).toEqual(before.map((count) => count + 1));
  expect(signal.aborted).toBe(false);
  process.emit(name, name);
  expect(signal.reason).toBe(name);
  // Nobody listens any more: it does what it does by itself.
  expect(listeners()).toEqual(before);
});
