import { createHash } from 'node:crypto';
import { createGuard } from '../../packages/cli/src/index.ts';
import { geminiCliTools } from '../peers/gemini-cli-tools.ts';
import { hermes } from '../peers/hermes.ts';
import { openHandsSdk } from '../peers/openhands-sdk.ts';
import { median, rounded } from './median.ts';
import { callEvents, output } from './samples.ts';

interface Row {
  result: string;
  µs: number;
  'SHA-256 µs': number;
  '× SHA-256': number;
  '× JSON.stringify': number;
  'bytes allocated': number;
  [peer: string]: number | string;
}

/**
 * Microseconds of each run; the different candidates take turns, so that a busy machine is busy for
 * all.
 */
function race(
  candidates: Record<string, (i: number) => unknown>,
  rounds: number,
): Record<string, number> {
  const names = Object.keys(candidates);
  const times: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
  for (let i = 0; i < rounds; i++) {
    for (const name of names) {
      const start = process.hrtime.bigint();
      candidates[name]!(i);
      const spent = Number(process.hrtime.bigint() - start) / 1000;
      if (i >= rounds / 3) times[name]!.push(spent);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name]!)]));
}

export function measureEngine(): Row[] {
  return [
    ['1 KB', 1 << 10, 3000],
    ['10 KB', 10 << 10, 3000],
    ['1 MB', 1 << 20, 60],
  ].map(([label, bytes, rounds]) => measure(label as string, bytes as number, rounds as number));
}

function measure(label: string, bytes: number, rounds: number): Row {
  const guard = createGuard();
  const results = Array.from({ length: 24 }, (_, i) => output(bytes, i));
  const result = (i: number): string => results[i % results.length]!;
  const peers = [geminiCliTools, openHandsSdk({ thoughts: true }), hermes({ attended: false })].map(
    (peer) => ({
      name: peer.name,
      watch: peer.start(),
    }),
  );
  const observe = (i: number): void => {
    for (const event of callEvents(i, result(i))) guard.observe(event);
  };
  const took = race(
    {
      unrut: observe,
      sha: (i) => createHash('sha256').update(result(i)).digest(),
      json: (i) => JSON.stringify(callEvents(i, result(i))[1]),
      ...Object.fromEntries(
        peers.map(({ name, watch }) => [name, (i: number) => callEvents(i, result(i)).map(watch)]),
      ),
    },
    rounds,
  );
  const before = process.memoryUsage().heapUsed;
  const few = Math.min(200, rounds);
  for (let i = 0; i < few; i++) observe(i);
  const allocated = Math.max(0, process.memoryUsage().heapUsed - before) / few;
  const round = (value: number): number => rounded(value, 1);
  return {
    result: label,
    µs: round(took.unrut!),
    'SHA-256 µs': round(took.sha!),
    '× SHA-256': round(took.unrut! / took.sha!),
    '× JSON.stringify': round(took.unrut! / took.json!),
    'bytes allocated': Math.round(allocated),
    ...Object.fromEntries(peers.map(({ name }) => [`${name} µs`, round(took[name]!)])),
  };
}
