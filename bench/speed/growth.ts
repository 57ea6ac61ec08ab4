import { createGuard, type Guard } from '../../src/index.ts';
import { callEvents, output } from './samples.ts';

const LENGTHS = [100, 1000, 10_000, 100_000];
const LAST = 1000;

const observe = (guard: Guard, i: number): void => {
  for (const event of callEvents(i, output(1024, i))) guard.observe(event);
};

/** Milliseconds for the last 1,000 events of a session of `length` events; the fastest of three tries. */
function lastThousand(length: number): number {
  const guard = createGuard();
  const calls = length / 2;
  const last = Math.min(LAST, length) / 2;
  for (let i = 0; i < calls - last; i++) observe(guard, i);
  const events = Array.from({ length: last }, (_, k) => callEvents(calls - last + k, output(1024, calls - last + k)));
  const start = process.hrtime.bigint();
  for (const pair of events) for (const event of pair) guard.observe(event);
  return (Number(process.hrtime.bigint() - start) / 1e6) * (LAST / 2 / last);
}

export function measureGrowth() {
  const tries = LENGTHS.map((): number[] => []);
  for (let round = 0; round < 3; round++) for (const [i, length] of LENGTHS.entries()) tries[i]!.push(lastThousand(length));
  const best = tries.map((times) => Math.min(...times));
  return LENGTHS.map((length, i) => ({
    events: length,
    'ms per 1,000': Math.round(best[i]! * 10) / 10,
    '× 10⁴': Math.round((best[i]! / best[2]!) * 100) / 100,
  }));
}

export function measureState() {
  const guard = createGuard();
  for (let i = 0; i < 50_000; i++) observe(guard, i);
  const bytes = JSON.stringify(guard.snapshot('s')).length;
  return { kilobytes: Math.round(bytes / 102.4) / 10, 'sessions per GB': Math.floor(2 ** 30 / bytes) };
}
