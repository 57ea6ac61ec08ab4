import { behavesWell } from '@unrut/test/importers/behaves-well';
import {
  importFixture,
  importRecords,
  outline,
  recordsOf,
} from '@unrut/test/importers/import-file';
import { survivesSpoiling } from '@unrut/test/importers/spoiled';
import { describe, expect, it } from 'vitest';
import { claudeStream } from './stream.ts';

const FIXTURES = ['claude-stream.jsonl'];
const file = importFixture(claudeStream, FIXTURES[0]!);

describe('the stream of the Claude Agent SDK', () => {
  behavesWell(claudeStream, FIXTURES, [
    { type: 'assistant', message: {}, session_id: 's', parent_tool_use_id: null },
    {
      type: 'user',
      message: { content: [null, { type: 'tool_result' }] },
      session_id: 's',
      parent_tool_use_id: 3,
    },
    { type: 'result', session_id: 's', usage: 'x', total_cost_usd: null },
  ]);
  survivesSpoiling(claudeStream, FIXTURES);

  it('reads a recorded run with failures, refusals and a nested agent', () => {
    expect(outline(file).map((line) => line.slice(0, 100))).toEqual([
      '0 person "fix the build"',
      '1 thinks "First I look around."',
      '1 says "Let me look."',
      '2 calls Bash {"command":"ls","description":"list"}',
      '3 calls Read {"file_path":"/home/dev/project/missing.txt"}',
      expect.stringMatching(/^3 Read returns "File does not exist/),
      '2 Bash returns "a.txt"',
      expect.stringMatching(/^4 calls Bash /),
      '4 Bash returns "Exit code 3\\nbroken" error true exit 3',
      '5 calls Frobnicate {"a":1}',
      expect.stringMatching(/^5 Frobnicate returns /),
      '6 calls Read {"wrong":true}',
      expect.stringMatching(/^6 Read returns /),
      expect.stringMatching(/^7 calls WebFetch /),
      expect.stringMatching(/^7 WebFetch returns /),
      expect.stringMatching(/^8 calls Agent /),
      expect.stringMatching(/^8 Agent returns /),
      expect.stringMatching(/^0 ac95a6e622cf6682e calls Bash {"command":"echo from-nested"/),
      '9 says "All done."',
      '0 ac95a6e622cf6682e Bash returns "from-nested"',
      '1 ac95a6e622cf6682e says "Nested agent is done."',
      '10 says "All done."',
      '11 session-ended',
    ]);
    const refused = file.events.flatMap(({ event }) =>
      event.type === 'call-finished' && event.refusedBy ? [[event.call.id, event.refusedBy]] : [],
    );
    expect(refused).toEqual([
      ['toolu_4', 'unknown-tool'],
      ['toolu_5', 'schema'],
      ['toolu_6', 'host'],
    ]);
  });

  it('loses no call, and keeps calls of one response together', () => {
    const source = JSON.stringify(recordsOf(FIXTURES[0]!));
    const proposed = file.events.flatMap(({ event }) =>
      event.type === 'call-proposed' ? [event] : [],
    );
    expect(proposed).toHaveLength(source.match(/"type":"tool_use"/g)!.length);
    expect(proposed.filter(({ batch }) => batch === 'msg_1').map(({ call }) => call.id)).toEqual([
      'toolu_1',
      'toolu_2',
    ]);
    expect(file.events.filter(({ event }) => event.type === 'call-finished')).toHaveLength(
      source.match(/"type":"tool_result"/g)!.length,
    );
  });

  it('counts the usage of a response once, and the rest of the tokens and the price at the end', () => {
    const results = recordsOf(FIXTURES[0]!).filter(
      (record) => (record as { type: string }).type === 'result',
    ) as {
      usage: Record<string, number>;
      total_cost_usd: number;
    }[];
    const all = results.reduce(
      (sum, { usage }) =>
        sum + usage.input_tokens! + usage.cache_creation_input_tokens! + usage.output_tokens!,
      0,
    );
    const main = file.events.filter(({ event }) => event.agent === undefined);
    expect(main.reduce((sum, { event }) => sum + (event.cost?.tokens ?? 0), 0)).toBe(all);
    expect(main.at(-1)!.event).toMatchObject({
      type: 'session-ended',
      outcome: 'success',
      cost: { usd: results.at(-1)!.total_cost_usd },
    });
  });

  it('takes only what a person typed for a person’s words', () => {
    const user = (fields: object, text = 'Go on.') => ({
      type: 'user',
      message: { role: 'user', content: text },
      session_id: 's',
      parent_tool_use_id: null,
      ...fields,
    });
    const { events } = importRecords(claudeStream, [
      user({}, 'Begin.'),
      user({ isSynthetic: true }),
      user({ parent_tool_use_id: 'toolu_1' }),
      user({ origin: { kind: 'peer', from: 'x' } }),
      user({}, '<system-reminder>Mind the time.</system-reminder>'),
      user({ origin: { kind: 'human' } }, 'Stop.'),
    ]);
    expect(events.map(({ event }) => event.type === 'user-spoke' && event.text)).toEqual([
      'Begin.',
      'Stop.',
    ]);
  });

  it('passes over failures of the API, and deltas', () => {
    const line = (fields: object) => ({ session_id: 's', parent_tool_use_id: null, ...fields });
    const message = {
      id: 'm',
      role: 'assistant',
      model: '<synthetic>',
      content: [{ type: 'text', text: 'API Error: 529' }],
    };
    const delta = {
      type: 'stream_event',
      event: { type: 'content_block_delta', delta: { type: 'text_delta', text: 'H' } },
    };
    const read = importRecords(claudeStream, [
      line({ type: 'assistant', message, error: 'server_error' }),
      line(delta),
    ]);
    expect(read).toEqual({ events: [], unknown: [] });
  });

  it('sees that the history was summarised', () => {
    const boundary = {
      type: 'system',
      subtype: 'compact_boundary',
      session_id: 's',
      compact_metadata: { trigger: 'auto', pre_tokens: 9 },
    };
    expect(outline(importRecords(claudeStream, [boundary]))).toEqual(['0 context-compacted']);
  });
});
