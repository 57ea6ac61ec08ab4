import { createGuard, type Guard, type Snapshot } from '../../packages/cli/src/index.ts';
import { median, rounded } from './median.ts';
import { callEvents, output } from './samples.ts';

const LENGTHS = [100, 1000, 10_000, 100_000];
const LAST = 1000;
const ROUNDS = 41;

const observe = (guard: Guard, i: number): void => {
  for (const event of callEvents(i, output(1024, i))) guard.observe(event);
};

/** A session of this many events but the last, to continue from again and again. */
function upToTheLast(length: number): { from: Snapshot; calls: number[] } {
  const guard = createGuard();
  const last = Math.min(LAST, length) / 2;
  const first = length / 2 - last;
  for (let i = 0; i < first; i++) observe(guard, i);
  return { from: guard.snapshot(), calls: Array.from({ length: last }, (_, k) => first + k) };
}

/**
 * Cost of the last 1,000 events of a session by its length: medians of rounds in which the lengths
 * take turns.
 */
export function measureGrowth() {
  const sessions = LENGTHS.map(upToTheLast);
  const events = sessions.map(({ calls }) => calls.flatMap((i) => callEvents(i, output(1024, i))));
  const times = LENGTHS.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (let turn = 0; turn < LENGTHS.length; turn++) {
      const i = (turn + round) % LENGTHS.length;
      const guard = createGuard({ from: sessions[i]!.from });
      const start = process.hrtime.bigint();
      for (const event of events[i]!) guard.observe(event);
      times[i]!.push((Number(process.hrtime.bigint() - start) / 1e6) * (LAST / events[i]!.length));
    }
  }
  const middle = times.map(median);
  return LENGTHS.map((length, i) => ({
    events: length,
    'ms per 1,000': rounded(middle[i]!, 1),
    '× 10⁴': rounded(middle[i]! / middle[2]!),
  }));
}

export function measureState() {
  const guard = createGuard();
  for (let i = 0; i < 50_000; i++) observe(guard, i);
  const bytes = JSON.stringify(guard.snapshot('s')).length;
  return {
    kilobytes: Math.round(bytes / 102.4) / 10,
    'sessions per GB': Math.floor(2 ** 30 / bytes),
  };
}
