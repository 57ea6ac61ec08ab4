import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Trajectory } from '@unrut/ledger/report/scan-report';
import { noColours } from '@unrut/ledger/text/paint';
import { afterAll, describe, expect, it } from 'vitest';
import { scanFile } from '../scan/scan-file.ts';
import { explainRun } from './explain-run.ts';
import { explainStep } from './explain-step.ts';
import { readRun } from './read-run.ts';
import { runText } from './run-text.ts';

const folder = mkdtempSync(join(tmpdir(), 'unrut-reading-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Read {
  run: Trajectory;
  detectors: string[];
  /** The output of `explain` for the run, and for the result of a step. */
  explained: string;
  brought(step: number): string;
}

async function read(records: readonly unknown[]): Promise<Read> {
  const path = join(folder, 'run.jsonl');
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const { trajectories } = await scanFile(path, {});
  expect(trajectories).toHaveLength(1);
  const explained = await readRun(path, {});
  return {
    run: trajectories[0]!,
    detectors: trajectories[0]!.loops.map(({ detector }) => detector),
    explained: runText(explainRun(explained), { paint: noColours, width: 200 }).join('\n'),
    brought: (step) => explainStep(explained, step).step.brought,
  };
}

const times = <Of>(count: number, of: (i: number) => Of): Of[] =>
  Array.from({ length: count }, (_, i) => of(i));
const at = (minute: number) => new Date(Date.UTC(2026, 3, 11, 14, minute)).toISOString();

describe('results of Codex below a header that repeats the command', () => {
  const id = (i: number) => (0x6fbc90 + i * 7919).toString(16);
  const rollout = (printed: (i: number) => string, withCommand = true) => [
    { timestamp: at(0), type: 'session_meta', payload: { id: 's', cli_version: '0.118.0' } },
    ...times(8, (i) => {
      const command = withCommand ? "Command: /bin/zsh -lc 'ls build'\n" : '';
      const output = `${command}Chunk ID: ${id(i)}\nWall time: 0.08${i} seconds\nProcess exited with code 0\nOutput:\n${printed(i)}`;
      const args = '{"cmd":"ls build"}';
      const call = {
        type: 'function_call',
        name: 'exec_command',
        arguments: args,
        call_id: `${i}`,
      };
      const end = { type: 'function_call_output', call_id: `${i}`, output };
      return [call, end].map((payload) => ({ timestamp: at(i), type: 'response_item', payload }));
    }).flat(),
  ];

  it('are the same if only the header differs', async () => {
    const [command, plain] = [
      await read(rollout(() => 'app.js\nindex.html\n')),
      await read(rollout(() => 'app.js\nindex.html\n', false)),
    ];
    expect(command.detectors).toEqual(['repeated-call']);
    expect(command.run.loops[0]?.rung).toBe('escalate');
    expect(
      command.run.loops.map(({ plans }) => plans.map(({ rung, step }) => [step, rung])),
    ).toEqual(plain.run.loops.map(({ plans }) => plans.map(({ rung, step }) => [step, rung])));
    expect(command.brought(3)).toContain('same answer as the last 3 times');
    expect(command.explained).not.toContain('Chunk ID');
  });

  it('are new if the output is', async () => {
    const { detectors } = await read(rollout((i) => `app-${'abcdefgh'[i]}.js was built\n`));
    expect(detectors).toEqual([]);
  });
});

describe('sessions of OpenClaw', () => {
  const session = (tool: string, args: (i: number) => object, said: (i: number) => string) => [
    {
      type: 'session',
      version: 3,
      id: 's',
      timestamp: at(0),
      cwd: '/home/dev/.openclaw/workspace',
    },
    ...times(6, (i) => {
      const call = { type: 'toolCall', id: `c${i}`, name: tool, arguments: args(i) };
      const result = { role: 'toolResult', toolCallId: `c${i}`, toolName: tool, isError: false };
      const entry = (id: string, parentId: string | null, message: object) => ({
        type: 'message',
        id,
        parentId,
        timestamp: at(i),
        message,
      });
      return [
        entry(`a${i}`, i === 0 ? null : `r${i - 1}`, { role: 'assistant', content: [call] }),
        entry(`r${i}`, `a${i}`, { ...result, content: [{ type: 'text', text: said(i) }] }),
      ];
    }).flat(),
  ];
  const edit = (i: number) => ({
    path: '/w/a.ts',
    edits: [{ oldText: `foo(${i})`, newText: `bar(${i})` }],
  });

  it('loop if the same edit is refused again and again, and not if it applies', async () => {
    const refusal = { status: 'error', tool: 'edit', error: 'Could not find the exact text.' };
    const refused = await read(session('edit', edit, () => JSON.stringify(refusal, null, 2)));
    expect(refused.detectors).toEqual(['repeated-error']);
    expect(refused.brought(1)).toContain('Could not find the exact text');
    expect(refused.explained).not.toContain('made a change');
    const applied = await read(session('edit', edit, () => 'Successfully replaced 1 block(s).'));
    expect(applied.detectors).toEqual([]);
    expect(applied.brought(1)).toContain('made a change');
  });

  it('loop if a command that is gone is polled, and not if it is running', async () => {
    const poll = (i: number) => ({ action: 'poll', sessionId: `${1800 + i}` });
    const gone = await read(session('process', poll, (i) => `No session found for ${1800 + i}`));
    expect(gone.detectors).toEqual(['repeated-error']);
    const running = await read(
      session('process', poll, (i) => `compiled ${'abcdef'[i]}.o\n\nProcess still running.`),
    );
    expect(running.detectors).toEqual([]);
  });
});

describe('arguments that an MCP server rejects', () => {
  const search = (answer: (i: number) => string) => [
    {
      info: { id: 'ses_1', version: '1.18.0' },
      messages: times(4, (i) => ({
        info: { id: `m${i}`, role: 'assistant', time: { created: Date.parse(at(i)) } },
        parts: [
          {
            type: 'tool',
            callID: `c${i}`,
            tool: 'websearch',
            state: {
              status: 'completed',
              input: { query: `documentation of part ${'abcd'[i]}`, type: 'deep' },
              output: answer(i),
              time: { start: Date.parse(at(i)), end: Date.parse(at(i)) + 9 },
            },
          },
        ],
      })),
    },
  ];
  const REJECTED =
    "MCP error -32602: Input validation error: Invalid arguments for tool web_search: Invalid enum value. Expected 'auto' | 'fast', received 'deep'";

  it('are failures, though the host calls the result completed', async () => {
    const rejected = await read(search(() => REJECTED));
    expect(rejected.detectors).toEqual(['invalid-arguments']);
    expect(rejected.brought(2)).toContain('MCP error -32602');
    const { detectors } = await read(search((i) => `Page ${i} is about ${'wxyz'[i]} only.`));
    expect(detectors).toEqual([]);
  });
});

describe('scripts of the code mode of Codex that patch files', () => {
  const scripts = (input: (i: number) => string) => [
    { timestamp: at(0), type: 'session_meta', payload: { id: 's', cli_version: '0.150.0' } },
    ...times(5, (i) => {
      const call = { type: 'custom_tool_call', name: 'exec', input: input(i), call_id: `${i}` };
      const output = [{ type: 'input_text', text: 'Script completed\nOutput:\n{}' }];
      const end = { type: 'custom_tool_call_output', call_id: `${i}`, output };
      return [call, end].map((payload) => ({ timestamp: at(i), type: 'response_item', payload }));
    }).flat(),
  ];
  const patch = (i: number) =>
    `*** Begin Patch\n*** Update File: /a/x.go\n@@\n-line ${i} of it\n+other ${i} of it\n*** End Patch`;

  it('have written something, though they return nothing', async () => {
    const kept = await read(
      scripts((i) => `const p = ${JSON.stringify(patch(i))};\ntext(await tools.apply_patch(p));`),
    );
    expect(kept.detectors).toEqual([]);
    expect(kept.brought(4)).toContain('made a change');
    const computed = await read(
      scripts((i) => `const p = make(${i});\ntext(await tools.apply_patch(p));`),
    );
    expect(computed.detectors).toEqual([]);
    expect(computed.explained).not.toContain('found nothing');
  });
});
