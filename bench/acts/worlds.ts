import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type Played, playWorld } from './play-world.ts';

/** Number of worlds per report. */
const CHUNK = 500;

interface Part {
  first: number;
  count: number;
}

/** Plays this many worlds, on all cores, and lists the promises that were broken. */
export async function benchWorlds(count: number, seed: number): Promise<void> {
  const sums: Played & { worlds: number } = {
    worlds: 0,
    steps: 0,
    refused: 0,
    stopped: 0,
    unlucky: 0,
    broken: [],
  };
  const threads = Math.min(availableParallelism(), count);
  const parts = Array.from({ length: threads }, (_, i): Part => {
    const at = (part: number): number => Math.floor((count * part) / threads);
    return { first: seed * 1_000_003 + at(i), count: at(i + 1) - at(i) };
  });
  await Promise.all(
    parts.map((part) =>
      playPart(part, (played) => {
        for (const each of ['worlds', 'steps', 'refused', 'stopped', 'unlucky'] as const)
          sums[each] += played[each];
        sums.broken.push(...played.broken);
        for (const line of played.broken) console.error(line);
        if (sums.worlds % (20 * CHUNK) === 0)
          console.error(`${sums.worlds} of ${count} worlds, ${sums.broken.length} promises broken`);
      }),
    ),
  );
  console.log(
    `${sums.worlds} worlds, ${sums.steps} steps: ${sums.refused} refusals, ${sums.stopped} stops.`,
  );
  console.log(
    `In ${sums.unlucky} refusals the answer had changed in a way that the guard could not have seen.`,
  );
  console.log(
    sums.broken.length === 0
      ? 'No promise was broken.'
      : `${sums.broken.length} promises were broken.`,
  );
  if (sums.broken.length > 0) process.exitCode = 1;
}

const playPart = (
  part: Part,
  onPlayed: (played: Played & { worlds: number }) => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: part });
    worker
      .on('message', onPlayed)
      .on('error', reject)
      .on('exit', () => resolve());
  });

if (!isMainThread) {
  const { first, count } = workerData as Part;
  for (let i = 0; i < count; i += CHUNK) {
    const played = Array.from({ length: Math.min(CHUNK, count - i) }, (_, j) =>
      playWorld(first + i + j),
    );
    const sum = (what: 'steps' | 'refused' | 'stopped' | 'unlucky'): number =>
      played.reduce((total, each) => total + each[what], 0);
    parentPort!.postMessage({
      worlds: played.length,
      steps: sum('steps'),
      refused: sum('refused'),
      stopped: sum('stopped'),
      unlucky: sum('unlucky'),
      broken: played.flatMap(({ broken }) => broken),
    });
  }
}
