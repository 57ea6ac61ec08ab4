import { behavesWell } from '@unrut/test/importers/behaves-well';
import { importFixture, outline, recordsOf } from '@unrut/test/importers/import-file';
import { survivesSpoiling } from '@unrut/test/importers/spoiled';
import { describe, expect, it } from 'vitest';
import { codexExec } from './exec-stream.ts';

const FIXTURES = ['codex-exec.jsonl', 'codex-exec-items.jsonl'];

describe('the stream of codex exec', () => {
  behavesWell(codexExec, FIXTURES, [
    { type: 'item.completed' },
    { type: 'item.completed', item: { type: 'agent_message' } },
    { type: 'item.started', item: { type: 'command_execution' } },
    { type: 'item.completed', item: { id: 3, type: 'mcp_tool_call', result: 3, error: 'x' } },
    { type: 'turn.completed', usage: 3 },
  ]);
  survivesSpoiling(codexExec, FIXTURES);

  it.each(FIXTURES)('loses no call and no word of %s', (fixture) => {
    const { events } = importFixture(codexExec, fixture);
    const records = recordsOf(fixture) as { type: string; item?: { id: string; type: string } }[];
    const items = new Map(records.flatMap(({ item }) => (item ? [[item.id, item.type]] : [])));
    const count = (type: string) => [...items.values()].filter((each) => each === type).length;
    const lists = records.filter(
      ({ type, item }) => item?.type === 'todo_list' && type !== 'item.completed',
    ).length;
    const kinds = [
      'command_execution',
      'file_change',
      'mcp_tool_call',
      'web_search',
      'collab_tool_call',
    ];
    const calls = kinds.reduce((sum, kind) => sum + count(kind), lists);
    expect(events.filter(({ event }) => event.type === 'call-proposed')).toHaveLength(calls);
    const said = events.filter(
      ({ event }) => event.type === 'text-added' && event.channel === 'answer',
    );
    expect(said).toHaveLength(count('agent_message'));
  });

  it('contains the calls and their outcomes', () => {
    expect(outline(importFixture(codexExec, 'codex-exec-items.jsonl'))).toEqual([
      '0 calls update_plan {"plan":[{"text":"look","completed":false}]}',
      '0 update_plan returns nothing known',
      '1 calls mcp__demo__echo {"text":"hi"}',
      '1 mcp__demo__echo returns [{"type":"text","text":"hi"}]',
      '2 calls mcp__demo__echo {"text":"ho"}',
      '2 mcp__demo__echo returns nothing known error "server is gone"',
      '3 calls update_plan {"plan":[{"text":"look","completed":true}]}',
      '3 update_plan returns nothing known',
      '4 calls shell {"command":"rm -r build"}',
      '4 shell returns "" refused by host',
      '5 calls apply_patch {"changes":[{"path":"/home/dev/project/a.txt","kind":"update"}]}',
      '5 apply_patch returns nothing known error true',
      '6 calls spawn_agent {"prompt":"look","receiver":["0199-e"]}',
      '6 spawn_agent returns nothing known',
      '7 says "Half done."',
    ]);
  });

  it('pays a turn with its last message', () => {
    const { events } = importFixture(codexExec, 'codex-exec.jsonl');
    expect(events.flatMap(({ event }) => event.cost ?? [])).toEqual([{ tokens: 1210 - 1100 + 55 }]);
    expect(events.at(-1)?.event).toMatchObject({ type: 'text-added', cost: { tokens: 165 } });
  });
});
