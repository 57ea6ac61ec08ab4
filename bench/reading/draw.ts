import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { hash64 } from '@unrut/engine/hash';
import { textOf } from '@unrut/engine/json';
import { hasOwnFlag, type Recorded, resultsIn, shapeOf } from './results.ts';

const LONGEST = 3000;
const LONGEST_ARGS = 600;

/** Takes from the groups in turn, so that no group carries the draw. */
function inTurn<T>(groups: T[][], count: number): T[] {
  const drawn: T[] = [];
  for (let i = 0; drawn.length < count && groups.some((group) => group.length > i); i++)
    for (const group of groups) if (i < group.length && drawn.length < count) drawn.push(group[i]!);
  return drawn;
}

function grouped<T>(items: readonly T[], key: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = key(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return [...groups.keys()].sort().map((name) => groups.get(name)!);
}

/**
 * Draws results to be labelled by hand, in turn over sources, tools and shapes. The order within a
 * shape is that of a seeded hash, so the draw is always the same.
 */
function draw(results: readonly Recorded[], count: number, seed: number): Recorded[] {
  const order = [...results].sort((one, other) =>
    hash64(one.id, seed) < hash64(other.id, seed) ? -1 : 1,
  );
  const spread = (some: Recorded[]): Recorded[] =>
    inTurn(
      grouped(some, ({ tool }) => tool).map((ofTool) =>
        inTurn(
          grouped(ofTool, ({ tool, result }) => shapeOf(tool, textOf(result))),
          ofTool.length,
        ),
      ),
      some.length,
    );
  return inTurn(grouped(order, ({ source }) => source).map(spread), count);
}

const cut = (text: string, longest: number): string =>
  text.length <= longest
    ? text
    : `${text.slice(0, longest / 2)}\n[… ${text.length - longest} characters left out …]\n${text.slice(-longest / 2)}`;

/** Writes the drawn results, with their texts, to a file outside the project. */
export function writeDraw(corpus: string, file: string, count: number, seed: number): number {
  const drawn = draw(
    resultsIn(corpus).filter(({ source }) => !hasOwnFlag(source)),
    count,
    seed,
  );
  const lines = drawn.map(({ id, source, tool, args, result }) =>
    JSON.stringify({
      id,
      source,
      tool,
      args: cut(JSON.stringify(args ?? null), LONGEST_ARGS),
      text: cut(typeof result === 'string' ? result : JSON.stringify(result), LONGEST),
    }),
  );
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${lines.join('\n')}\n`);
  return drawn.length;
}
