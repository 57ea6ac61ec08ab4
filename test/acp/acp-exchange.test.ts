import { createAcpExchange } from '@unrut/adapters/acp/acp-exchange';
import type { AgentEvent } from '@unrut/engine/event';
import { createGuard } from '@unrut/engine/guard';
import type { JsonObject } from '@unrut/engine/json';
import { describe, expect, it } from 'vitest';
import { acpMessages } from '../../packages/logs/src/importers/messages/acp.ts';
import { importRecords } from '../importers/import-file.ts';

/** An exchange, and what both sides get. */
function open(attended = true) {
  const guards = [
    createGuard({ can: ['note', 'hint', 'block', 'escalate', 'stop'], attended }),
    createGuard({ can: ['note', 'hint'] }),
  ];
  const [agent, editor]: JsonObject[][] = [[], []];
  const rungs: string[] = [];
  const events: AgentEvent[] = [];
  const faults: unknown[] = [];
  let at = 0;
  const exchange = createAcpExchange(
    {
      observe(event, hasInputs) {
        events.push(event);
        return guards[hasInputs ? 0 : 1]!.observe(event);
      },
      told: ({ rung }) => void rungs.push(rung),
      now: () => (at += 1000),
      attended,
      fault: (error) => void faults.push(error),
    },
    {
      toAgent: (message) => void agent!.push(message as JsonObject),
      toEditor: (message) => void editor!.push(message as JsonObject),
    },
  );
  const pass = (read: (line: Buffer) => Buffer | null, to: JsonObject[]) => (message: object) => {
    const passed = read(Buffer.from(`${JSON.stringify(message)}\n`));
    if (passed) to.push(JSON.parse(passed.toString()));
    return passed;
  };
  return {
    exchange,
    agent: agent!,
    editor: editor!,
    rungs,
    events,
    faults,
    fromEditor: pass(exchange.fromClient, agent!),
    fromAgent: pass(exchange.fromServer, editor!),
  };
}

const prompt = (id: unknown, text = 'Go.') => ({
  jsonrpc: '2.0',
  id,
  method: 'session/prompt',
  params: { sessionId: 's', prompt: [{ type: 'text', text }] },
});
const update = (given: JsonObject) => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId: 's', update: given },
});
const shown = (n: number, input: JsonObject = { rawInput: { command: 'sh check.sh' } }) =>
  update({
    sessionUpdate: 'tool_call',
    toolCallId: `call-${n}`,
    title: 'Run sh check.sh',
    kind: 'execute',
    status: 'in_progress',
    ...input,
  });
const ended = (n: number, output = 'The check failed: expected 3, got 4.') =>
  update({
    sessionUpdate: 'tool_call_update',
    toolCallId: `call-${n}`,
    status: 'failed',
    rawOutput: { output },
  });
const cancelled = (id: unknown) => ({ jsonrpc: '2.0', id, result: { stopReason: 'cancelled' } });
const methods = (messages: JsonObject[]): unknown[] =>
  messages.map(({ method, result }) => method ?? (result as JsonObject)?.stopReason);

/** The agent makes the same call until something is sent to it. */
function loopUntilCancelled({ agent, fromAgent }: ReturnType<typeof open>, from = 1): number {
  const before = agent.length;
  for (let n = from; n < from + 20; n++) {
    fromAgent(shown(n));
    fromAgent(ended(n));
    if (agent.length > before) return n;
  }
  return 0;
}

describe('an exchange between an editor and an ACP agent', () => {
  it('steers an agent that loops, and shows the editor one turn', () => {
    const both = open();
    both.fromEditor(prompt(1));
    const last = loopUntilCancelled(both);
    expect([both.rungs, methods(both.agent)]).toEqual([
      ['note', 'hint'],
      ['session/prompt', 'session/cancel'],
    ]);
    expect(both.fromAgent(cancelled(1))).toBeNull();
    const own = both.agent.at(-1)!;
    expect(own).toMatchObject({
      method: 'session/prompt',
      params: { sessionId: 's', prompt: [{ text: expect.stringMatching(/^Unrut/) }] },
    });
    both.fromAgent(shown(last + 1, { rawInput: { command: 'cat check.sh' } }));
    both.fromAgent({ jsonrpc: '2.0', id: own.id, result: { stopReason: 'end_turn' } });
    expect(both.editor.at(-1)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { stopReason: 'end_turn' },
    });
    expect(both.faults).toEqual([]);
  });

  it('asks a person when that did not help, and does what was chosen', () => {
    for (const [choice, expected] of [
      ['continue', []],
      ['tell', ['session/cancel']],
      ['stop', ['session/cancel']],
    ] as const) {
      const both = open();
      both.fromEditor(prompt(1));
      const last = loopUntilCancelled(both);
      both.fromAgent(cancelled(1));
      const own = both.agent.at(-1)!.id;
      let question: JsonObject | undefined;
      for (let n = last + 1; n < last + 12 && !question; n++) {
        both.fromAgent(shown(n));
        both.fromAgent(ended(n));
        question = both.editor.find(({ method }) => method === 'session/request_permission');
      }
      expect(both.rungs).toContain('escalate');
      const sent = both.agent.length;
      expect(
        both.fromEditor({
          jsonrpc: '2.0',
          id: question!.id,
          result: { outcome: { outcome: 'selected', optionId: choice } },
        }),
      ).toBeNull();
      expect(methods(both.agent.slice(sent))).toEqual(expected);
      both.fromAgent(cancelled(own));
      const end = choice === 'tell' ? both.agent.at(-1) : both.editor.at(-1);
      expect(end).toMatchObject(choice === 'tell' ? { method: 'session/prompt' } : cancelled(1));
    }
  });

  it('stops the agent where nobody can be asked, and says why', () => {
    const both = open(false);
    both.fromEditor(prompt(1));
    for (let n = 1; n < 30 && !both.rungs.includes('stop'); n++) {
      both.fromAgent(shown(n));
      both.fromAgent(ended(n));
      if (methods(both.agent).at(-1) === 'session/cancel' && !both.rungs.includes('stop'))
        both.fromAgent(cancelled(both.agent.findLast(({ id }) => id !== undefined)!.id));
    }
    expect(methods(both.agent).at(-1)).toBe('session/cancel');
    expect(methods(both.editor)).not.toContain('session/request_permission');
    both.fromAgent(cancelled(both.agent.findLast(({ id }) => id !== undefined)!.id));
    expect(both.editor.at(-1)).toEqual(cancelled(1));
    const why = {
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text: expect.stringMatching(/stop/i) },
    };
    expect(both.editor).toContainEqual(update(why));
  });

  it('refuses a call that the agent asks permission for, without asking the person, and cancels nothing while a question is open', () => {
    const both = open();
    const options = [
      { optionId: 'yes', kind: 'allow_once' },
      { optionId: 'no', kind: 'reject_once' },
    ];
    const asks = (n: number) => ({
      jsonrpc: '2.0',
      id: `ask-${n}`,
      method: 'session/request_permission',
      params: {
        sessionId: 's',
        toolCall: {
          toolCallId: `call-${n}`,
          kind: 'execute',
          rawInput: { command: 'sh check.sh' },
        },
        options,
      },
    });
    both.fromEditor(prompt(1));
    let refusedAt = 0;
    for (let n = 1; n <= 9 && refusedAt === 0; n++) {
      const sent = both.agent.length;
      const passed = both.fromAgent(asks(n));
      if (!passed) refusedAt = n;
      else {
        expect(both.agent.length).toBe(sent);
        both.fromEditor({
          jsonrpc: '2.0',
          id: `ask-${n}`,
          result: { outcome: { outcome: 'selected', optionId: 'yes' } },
        });
        both.fromAgent(ended(n));
        if (methods(both.agent).at(-1) === 'session/cancel') both.fromAgent(cancelled(1));
      }
    }
    expect(refusedAt).toBeGreaterThan(3);
    const answer = both.agent.find(({ id, result }) => id === `ask-${refusedAt}` && result);
    expect(answer).toMatchObject({ result: { outcome: { outcome: 'selected', optionId: 'no' } } });
  });

  it('sends nothing after a person has cancelled', () => {
    const both = open();
    both.fromEditor(prompt(1));
    for (const n of [1, 2, 3]) {
      both.fromAgent(shown(n));
      both.fromAgent(ended(n));
    }
    both.fromEditor({ jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 's' } });
    expect(loopUntilCancelled(both, 4)).toBe(0);
    both.fromAgent(cancelled(1));
    expect(methods(both.agent)).toEqual(['session/prompt', 'session/cancel']);
    expect(both.editor.at(-1)).toEqual(cancelled(1));
  });

  it('does no more than suggest where an agent shows only titles', () => {
    const both = open();
    both.fromEditor(prompt(1));
    for (let n = 1; n <= 15; n++) {
      both.fromAgent(shown(n, {}));
      both.fromAgent(ended(n));
      if (methods(both.agent).at(-1) === 'session/cancel')
        both.fromAgent(cancelled(both.agent.findLast(({ id }) => id)!.id));
    }
    expect(new Set(both.rungs)).toEqual(new Set(['note', 'hint']));
    expect(methods(both.agent).filter((method) => method === 'session/cancel')).toHaveLength(1);
  });

  it('leaves an agent alone that gets on', () => {
    const both = open();
    const sent: object[] = [];
    both.fromEditor(prompt(1));
    for (const [n, word] of 'maple birch cedar alder rowan hazel aspen elder holly'
      .split(' ')
      .entries())
      for (const message of [
        shown(n, { rawInput: { command: `cat ${word}.txt` } }),
        ended(n, `A page about the ${word} tree.`),
      ]) {
        sent.push(message);
        both.fromAgent(message);
      }
    expect(both.editor).toEqual(sent);
    expect([both.rungs, both.agent.length]).toEqual([[], 1]);
  });

  const finished = (rawOutput: unknown, content: unknown = undefined) => [
    shown(1),
    update({
      sessionUpdate: 'tool_call_update',
      toolCallId: 'call-1',
      status: 'completed',
      rawOutput,
      content,
    }),
  ];
  const outcomes = (events: readonly AgentEvent[]) =>
    events.flatMap((event) => {
      if (event.type !== 'call-finished') return [];
      const { call, result, error, exitCode } = event;
      return [{ call, result, error, exitCode }];
    });
  const seen = (messages: object[]) => {
    const both = open();
    for (const message of messages) both.fromAgent(message);
    return both.events;
  };

  it.each([
    [
      'a command that failed, though its call was completed',
      { output: '1 failed', metadata: { exit: 1 } },
      '1 failed',
      1,
    ],
    [
      'one that tells its code in another word',
      { exit_code: 1, output: '1 failed' },
      '1 failed',
      1,
    ],
    ['one that worked', { output: '3 passed', metadata: { exit: 0 } }, '3 passed', 0],
    ['one that printed nothing', { output: '', exitCode: 0 }, '', 0],
    ['one without a code', '3 passed', '3 passed', undefined],
  ])('reads %s as a scan reads the log', (_, rawOutput, result, exitCode) => {
    const messages = finished(rawOutput, [
      { type: 'content', content: { type: 'text', text: 'shown' } },
    ]);
    const live = outcomes(seen(messages));
    expect(live).toEqual([
      {
        call: { id: 'call-1', tool: 'execute', args: { command: 'sh check.sh' } },
        result,
        error: undefined,
        exitCode,
      },
    ]);
    expect(outcomes(importRecords(acpMessages, messages).events.map(({ event }) => event))).toEqual(
      live,
    );
  });

  it('counts a command that fails though its call is completed, and not one that works', () => {
    const rungs = (exit: number): string[] => {
      const both = open();
      both.fromEditor(prompt(1));
      for (let n = 1; n <= 6; n++) {
        both.fromAgent(shown(n, { rawInput: { command: `sh step-${n}.sh` } }));
        const rawOutput = { output: 'connect ECONNREFUSED 10.0.0.7:5432', metadata: { exit } };
        both.fromAgent(
          update({
            sessionUpdate: 'tool_call_update',
            toolCallId: `call-${n}`,
            status: 'completed',
            rawOutput,
          }),
        );
      }
      return both.rungs;
    };
    expect(rungs(1)).toContain('note');
    expect(rungs(0)).toEqual([]);
  });

  it('passes everything else byte for byte', () => {
    const { exchange, faults } = open();
    const lines = [
      'no json\n',
      '\n',
      '[]\n',
      '{"jsonrpc":"2.0","id":1.0,"method":"initialize"}\n',
      '{"method":"session/update","params":{}}\n',
      '{"method":"session/prompt"}\n',
      '{ "id" : 5, "result": {} }\r\n',
    ];
    for (const line of lines)
      for (const read of [exchange.fromClient, exchange.fromServer])
        expect(read(Buffer.from(line))?.toString()).toBe(line);
    expect(faults).toEqual([]);
  });
});
