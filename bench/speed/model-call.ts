import { guardModel } from '../../packages/adapters/src/frameworks/ai-sdk/index.ts';
import { processorClock } from '../../test/processor-time.ts';
import { median, rounded } from './median.ts';
import { output } from './samples.ts';

const STEPS = 100;
const RUNS = 40;
const BYTES = 4096;

/** A healthy history: each call and each result is another. */
const callOf = (n: number) => ({
  toolCallId: `call_${n}`,
  toolName: 'read',
  input: { path: `src/part-${n}.ts` },
});
const stepOf = (n: number): object[] => {
  const { input, ...call } = callOf(n);
  return [
    { role: 'assistant', content: [{ type: 'tool-call', input, ...call }] },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', output: { type: 'text', value: output(BYTES, n) }, ...call },
      ],
    },
  ];
};
const ALL = Array.from({ length: STEPS }, (_, n) => stepOf(n));

/**
 * The additional time of a guarded model, for one request of a conversation of 100 steps. CPU time,
 * since machines may be busy.
 */
export async function measureModelCall() {
  const taken: Record<'bare' | 'guarded', number[]> = { bare: [], guarded: [] };
  const model = {
    specificationVersion: 'v3',
    async doGenerate({ prompt }: { prompt: readonly unknown[] }) {
      const call = callOf((prompt.length - 1) / 2);
      const content = [{ type: 'tool-call', ...call, input: JSON.stringify(call.input) }];
      return {
        content,
        finishReason: { unified: 'tool-calls' },
        usage: { inputTokens: {}, outputTokens: {} },
        warnings: [],
      };
    },
    async doStream(): Promise<never> {
      throw new Error('not asked');
    },
  };
  for (let run = 0; run < RUNS; run++) {
    for (const [name, asked] of [
      ['bare', model],
      ['guarded', guardModel(model)],
    ] as const) {
      const user = { role: 'user', content: [{ type: 'text', text: `Go, ${run}.` }] };
      for (let n = 0; n < STEPS - 10; n++)
        await asked.doGenerate({ prompt: [user, ...ALL.slice(0, n).flat()] });
      const clock = processorClock();
      for (let n = STEPS - 10; n < STEPS; n++)
        await asked.doGenerate({ prompt: [user, ...ALL.slice(0, n).flat()] });
      taken[name].push(clock() / 10);
    }
  }
  const text = JSON.stringify(ALL[STEPS - 1]);
  const clock = processorClock();
  for (let i = 0; i < 1000; i++) JSON.parse(text);
  const parsing = clock() / 1000;
  const added = median(taken.guarded) - median(taken.bare);
  return {
    steps: STEPS,
    'new in KB': rounded(text.length / 1024, 3),
    'added in ms': rounded(added, 3),
    '× JSON.parse of what is new': rounded(added / parsing, 3),
  };
}
