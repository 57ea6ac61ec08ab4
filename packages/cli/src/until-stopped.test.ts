import { expect, test } from 'vitest';
import { SIGNALS, untilStopped } from './until-stopped.ts';

/** The listeners of each signal: other tests may have left listeners behind. */
const listeners = () => SIGNALS.map((name) => process.listeners(name));

test.each(SIGNALS)(
  '%s asks a process to end in order, and the next one ends it at once, whichever it is',
  (name) => {
    const before = listeners();
    const signal = untilStopped();
    const added = listeners().flatMap((all, i) => all.filter((each) => !before[i]!.includes(each)));
    expect(added).toHaveLength(SIGNALS.length);
    expect(signal.aborted).toBe(false);
    process.emit(name, name);
    expect(signal.reason).toBe(name);
    // Without listeners, the signal's default action applies again.
    expect(listeners().some((all) => all.includes(added[0]!))).toBe(false);
  },
);
