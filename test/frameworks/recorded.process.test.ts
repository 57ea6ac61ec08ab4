import type { JsonObject } from '@unrut/engine/json';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import * as ai from 'ai';
import { describe, expect, it } from 'vitest';
import { guardModel } from '../../packages/adapters/src/frameworks/ai-sdk/index.ts';
import { recordTo } from '../../packages/cli/src/index.ts';
import { newPath } from '../ledger-files.ts';
import { scripted } from './scripted-ai-sdk.ts';

const PAGE = 'Three pages were found, none of which says more about it than the others do.';

/** An agent with equal or varying questions, recorded in a ledger. */
async function recorded(question: (n: number) => string) {
  const path = newPath();
  const ledger = createSqliteLedger({ path });
  const model = scripted(7, ({ calls: { length: n } }) =>
    n < 20
      ? { calls: [{ id: `c${n}`, tool: 'search', args: { q: question(n) } }] }
      : { text: 'Done.' },
  );
  const search = ai.tool({
    inputSchema: ai.jsonSchema({ type: 'object' }),
    execute: async (args) => `${PAGE} ${(args as JsonObject).q}`,
  });
  const { text } = await ai.generateText({
    model: guardModel(model, { guard: recordTo(ledger), session: 'run' }),
    tools: { search },
    prompt: 'Find it.',
    stopWhen: ai.stepCountIs(40),
  });
  const kinds = Object.groupBy(await ledger.entries({ session: 'run' }), ({ kind }) => kind);
  await ledger.close();
  return { text, kinds };
}

describe('a framework whose guard records', () => {
  it('keeps what a loop was, and what was done', async () => {
    const { text, kinds } = await recorded(() => 'foo');
    expect(text).toContain('Unrut stopped the run');
    expect(kinds.signal?.length).toBeGreaterThan(0);
    expect(kinds.plan?.map(({ data }) => data.rung)).toContain('stop');
    expect(new Set(kinds.event?.map(({ id }) => id)).size).toBe(kinds.event?.length);
  });

  it('records a run that gets on, and nothing against it', async () => {
    const { text, kinds } = await recorded(
      (n) =>
        `what ${['red', 'blue', 'green', 'old'][n % 4]} thing number ${n * 17} is made of, and by whom`,
    );
    expect(text).toBe('Done.');
    expect(kinds.event?.length).toBeGreaterThanOrEqual(40);
    expect(kinds.plan).toBeUndefined();
  });
});
