import { playWorld } from './play-world.ts';

const SHOWN = 20;

/** Plays so many worlds, and lists the promises that were broken. */
export function benchWorlds(count: number, seed: number): void {
  const sums = { steps: 0, refused: 0, stopped: 0, unlucky: 0 };
  const broken: string[] = [];
  for (let i = 0; i < count; i++) {
    const played = playWorld(seed * 1_000_003 + i);
    sums.steps += played.steps;
    sums.refused += played.refused;
    sums.stopped += played.stopped;
    sums.unlucky += played.unlucky;
    broken.push(...played.broken);
  }
  console.log(`${count} worlds, ${sums.steps} steps: ${sums.refused} refusals, ${sums.stopped} stops.`);
  console.log(`In ${sums.unlucky} refusals the answer had changed in a way that the guard could not have seen.`);
  for (const line of broken.slice(0, SHOWN)) console.log(line);
  console.log(broken.length === 0 ? 'No promise was broken.' : `${broken.length} promises were broken.`);
  if (broken.length > 0) process.exitCode = 1;
}
