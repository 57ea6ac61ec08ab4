import { createGuard } from '../../packages/cli/src/index.ts';
import { processorClock } from '../../test/processor-time.ts';
import { rounded } from './median.ts';
import { callEvents, output, prose } from './samples.ts';

const BYTES = 1 << 20;
const ROUNDS = 24;
const WARM_UP = 6;

/** Results of 1 MB in the shapes that tools return. */
const SHAPES: Record<string, (seed: number) => unknown> = {
  'lines of a log': (seed) => output(BYTES, seed),
  'lines of four characters': (seed) => repeat(BYTES / 4, (i) => `a${10 + ((i + seed) % 90)}\n`),
  'one long line of words': (seed) => prose(BYTES, seed),
  'one long line of numbers': (seed) =>
    repeat(BYTES / 8, (i) => `${1_000_000 + ((i * 7919 + seed) % 8_999_999)},`),
  'base64 in one line': (seed) => btoa(output((BYTES * 3) / 4, seed)),
  ideographs: (seed) =>
    repeat(BYTES / 20, (i) => `第${i}行の結果は${seed}です、問題ありません。\n`),
  'JSON, parsed': (seed) => records(seed),
  'JSON, as a text': (seed) => JSON.stringify(records(seed)),
  'an object of many fields': (seed) =>
    Object.fromEntries(
      Array.from({ length: 40_000 }, (_, i) => [`field${i}`, `value ${i + seed}`]),
    ),
  'one content block of MCP': (seed) => ({ content: [block(BYTES, seed)] }),
  '1,000 content blocks of MCP': (seed) => ({
    content: Array.from({ length: 1000 }, (_, i) => block(BYTES / 1000, seed * 1000 + i)),
  }),
};

const repeat = (length: number, make: (i: number) => string): string =>
  Array.from({ length }, (_, i) => make(i)).join('');
const block = (bytes: number, seed: number) => ({ type: 'text', text: output(bytes, seed) });
const records = (seed: number) => ({
  items: Array.from({ length: 9000 }, (_, i) => ({
    id: i * 7 + seed,
    name: `item ${i} of ${seed}`,
    path: `src/part${i % 40}/module-${i}.ts`,
    status: 'open',
    labels: ['bug', 'good first issue'],
  })),
});

/** Processor time that `observe` takes for a result of 1 MB, by its shape, after a warm-up. */
export const measureLargeResults = (): { result: string; ms: number }[] =>
  Object.entries(SHAPES).map(([result, make]) => {
    const guard = createGuard();
    const results = Array.from({ length: 3 }, (_, seed) => make(seed));
    let clock = processorClock();
    for (let i = 0; i < WARM_UP + ROUNDS; i++) {
      if (i === WARM_UP) clock = processorClock();
      for (const event of callEvents(i, results[i % 3] as string)) guard.observe(event);
    }
    return { result, ms: rounded(clock() / ROUNDS, 1) };
  });
