import { behavesWell } from '@unrut/test/importers/behaves-well';
import { importFixture, outline, recordsOf } from '@unrut/test/importers/import-file';
import { survivesSpoiling } from '@unrut/test/importers/spoiled';
import { describe, expect, it } from 'vitest';
import { miniSweAgent } from './swe-agent/mini-swe-agent.ts';

const FIXTURES = ['mini-swe-agent.json', 'mini-swe-agent-tools.json'];

describe('mini-swe-agent', () => {
  behavesWell(miniSweAgent, FIXTURES, [
    {
      trajectory_format: 'mini-swe-agent-1',
      messages: [null, 3, {}, { role: 'assistant' }, { role: 'user' }],
    },
    {
      trajectory_format: 'mini-swe-agent-1.1',
      messages: [{ role: 'tool', tool_call_id: 'x', content: null, extra: 3 }],
      info: 3,
    },
  ]);
  survivesSpoiling(miniSweAgent, FIXTURES);

  it('reads commands in texts, and tells their output from a person’s words', () => {
    expect(outline(importFixture(miniSweAgent, 'mini-swe-agent.json'))).toEqual([
      '0 person "Please solve this issue: the sum is wrong.\\n\\n```bash\\nls -la\\n```"',
      '1 thinks "THOUGHT: I list the files."',
      '1 calls bash {"command":"ls -la"}',
      '1 bash returns "<returncode>0</returncode>\\n<output>\\nsum.py\\n</output>" exit 0',
      '2 says "THOUGHT: I am not sure."',
      '3 thinks "THOUGHT: I remove the cache."',
      '3 calls bash {"command":"rm -r cache"}',
      expect.stringMatching(/^3 bash returns "Command not executed\. .* refused by user$/),
      '4 thinks "THOUGHT: I run it."',
      '4 calls bash {"command":"python sum.py"}',
      '4 bash returns "<returncode>1</returncode>\\n<output>\\nTypeError\\n</output>" exit 1',
      '5 person "Interrupted by user: try the other file"',
      '6 thinks "THOUGHT: Done."',
      '6 calls bash {"command":"echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"}',
      '6 bash returns ""',
      '7 session-ended',
    ]);
  });

  it('reads tool calls of the chat and Responses APIs, and who rejected them', () => {
    const file = importFixture(miniSweAgent, 'mini-swe-agent-tools.json');
    expect(outline(file)).toEqual([
      '0 person "Fix the sum."',
      '1 thinks "Two looks at once."',
      '1 says "I look."',
      '2 calls bash {"command":"ls"}',
      '3 calls bash {"command":"cat missing"}',
      '2 bash returns "<returncode>0</returncode>\\n<output>\\nsum.py\\n</output>" exit 0',
      '3 bash returns "<returncode>1</returncode>\\n<output>\\nNo such file\\n</output>" exit 1',
      '4 calls python {"code":"1"}',
      '4 python returns "Tool call error: Unknown tool \'python\'." error true refused by unknown-tool',
      '5 calls bash {"command":"rm -r cache"}',
      '5 bash returns "<exception>action was not executed</exception>" error true refused by user',
      expect.stringMatching(/^6 person "Commands not executed\. /),
      '7 thinks "I am done."',
      '7 calls bash {"command":"git diff"}',
      '7 bash returns "<returncode>0</returncode>\\n<output>\\n+\\n</output>" exit 0',
      '8 session-ended',
    ]);
    const proposed = file.events.flatMap(({ event }) =>
      event.type === 'call-proposed' ? [event] : [],
    );
    expect(proposed[0]!.batch).toBe(proposed[1]!.batch);
    expect(proposed[0]).toMatchObject({ session: 'project__sum-1', at: 1767600000500 });
    expect(proposed).toHaveLength(
      JSON.stringify(recordsOf('mini-swe-agent-tools.json')).match(
        /"type":"function"|"type":"function_call"/g,
      )!.length,
    );
  });

  it('reports what each response cost, and at the end what belongs to none', () => {
    const costs = (fixture: string) =>
      importFixture(miniSweAgent, fixture).events.flatMap(({ event }) => event.cost ?? []);
    expect(costs('mini-swe-agent-tools.json')).toEqual([
      { tokens: 330, usd: 0.02 },
      { usd: 0.01 },
      { usd: 0.01 },
      { usd: 0.01 },
    ]);
    expect(costs('mini-swe-agent.json')).toEqual([{ tokens: 520 }, { usd: 0.03 }]);
    expect(importFixture(miniSweAgent, 'mini-swe-agent.json').events.at(-1)!.event).toMatchObject({
      outcome: 'Submitted',
    });
  });
});
