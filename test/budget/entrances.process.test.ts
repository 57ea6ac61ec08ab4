import { generateText, stepCountIs, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { guardModel } from '../../packages/adapters/src/frameworks/ai-sdk/index.ts';
import { createMemoryLedger } from '../../packages/cli/src/index.ts';
import { readRoadmap } from '../../packages/tasks/src/roadmap.ts';
import { RoadmapLoop } from '../../packages/tasks/src/roadmap-loop.ts';
import { startUpstream } from '../gateway/scripted-upstream.ts';
import { serveGateway } from '../gateway/serve-gateway.ts';
import { inLedger, newFolder, runHook } from '../hook/hook-command.ts';
import { newPath } from '../ledger-files.ts';
import { makePlace } from '../run/place.ts';
import { ask } from '../server/request.ts';
import { served, tellEvents } from '../server/served.ts';

/** The hooks of Claude Code around one call that is new each time. */
function payloads(n: number, more: object = {}): object[] {
  const call = {
    session_id: 's',
    transcript_path: '/home/me/.claude/projects/p/s.jsonl',
    cwd: '/nowhere',
    tool_name: 'Bash',
    tool_input: { command: `cat chapter-${n}.txt` },
    tool_use_id: `t${n}`,
    ...more,
  };
  return [
    { ...call, hook_event_name: 'PreToolUse' },
    {
      ...call,
      hook_event_name: 'PostToolUse',
      tool_response: { stdout: `Chapter ${n} is about the river ${n * 17}.`, stderr: '' },
    },
  ];
}

async function hooks(
  home: string,
  count: number,
  environment: Record<string, string>,
): Promise<string[]> {
  const printed: string[] = [];
  for (let n = 1; n <= count; n++)
    for (const payload of payloads(n))
      printed.push((await runHook(home, payload, environment)).stdout);
  return printed;
}

describe('hook processes', () => {
  test('keep a budget of the environment: note, question, blocked calls, and more after "go on"', async () => {
    const home = newFolder();
    const environment = { UNRUT_BUDGET_STEPS: '3', UNRUT_COMPANION: 'off' };
    const printed = await hooks(home, 4, environment);
    expect(printed.map((text) => (text === '' ? '-' : 'said'))).toEqual([
      ...['-', '-', '-', '-'],
      ...['-', 'said', 'said', '-'],
    ]);
    expect(JSON.parse(printed[5]!)).toMatchObject({
      hookSpecificOutput: {
        additionalContext: expect.stringContaining('the budget is spent: 3 of 3 steps'),
      },
      systemMessage: expect.stringContaining('with 3 steps more, tell it to go on'),
    });
    expect(JSON.parse(printed[6]!)).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'deny' },
    });
    const spoke = { session_id: 's', transcript_path: '/x/.claude/s.jsonl', cwd: '/nowhere' };
    await runHook(
      home,
      { ...spoke, hook_event_name: 'UserPromptSubmit', prompt: 'go on' },
      environment,
    );
    expect((await runHook(home, payloads(9)[0], environment)).stdout).toBe('');
    const entries = await inLedger(home, (ledger) => ledger.entries({ session: 's' }));
    expect(
      entries.flatMap(({ data }) => (data.budget as { extended?: string[] })?.extended ?? []),
    ).toEqual(['steps']);
  });

  test('count the dollars that Claude Code reports to the status line', async () => {
    const home = newFolder();
    const environment = { UNRUT_BUDGET_USD: '5', UNRUT_COMPANION: 'off' };
    const line = (usd: number) =>
      runHook(
        home,
        { session_id: 's', cwd: '/nowhere', cost: { total_cost_usd: usd } },
        environment,
        ['--statusline'],
      );
    const call = async (n: number): Promise<string> =>
      (await runHook(home, payloads(n)[1], environment)).stdout;
    await line(1.5);
    expect(await call(1)).toBe('');
    expect((await line(2)).stdout).toContain('left: $3.50 of $5.00');
    expect(await call(2)).toBe('');
    await line(4.25);
    expect(await call(3)).toContain('$4.25 of $5.00 is spent');
    await line(5.5);
    expect(await call(4)).toContain('the budget is spent: $5.50 of $5.00');
  });

  test('print byte for byte the same below 80 % as without a budget', async () => {
    const environment = { UNRUT_COMPANION: 'off' };
    const plain = await hooks(newFolder(), 3, environment);
    expect(await hooks(newFolder(), 3, { ...environment, UNRUT_BUDGET_STEPS: '9' })).toEqual(plain);
  });
});

describe('unrut run', () => {
  /** Prints another text each time, with its cost. */
  const AGENT = `
    const fs = require('node:fs');
    const n = fs.existsSync('n') ? Number(fs.readFileSync('n')) + 1 : 1;
    fs.writeFileSync('n', String(n)); fs.writeFileSync('chapter-' + n + '.md', 'On river ' + n * 31);
    console.log(JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: 'Wrote chapter ' + n + ' on the river ' + n * 31 + '.', total_cost_usd: 0.4, usage: { input_tokens: 5, output_tokens: 5 }, session_id: 'x' + n }));`;

  test('ends at the budget, and resuming it adds the amount once more', async () => {
    const place = makePlace({
      'PROMPT.md': 'Write a chapter.\n',
      'agent.cjs': AGENT,
      'unrut.config.json': '{ "budget": { "usd": 1 } }',
    });
    const first = await place.unrut(
      ...['--max-iterations', '20', 'PROMPT.md', '--', process.execPath, 'agent.cjs'],
    );
    expect(first.code).toBe(2);
    expect(first.stderr.match(/iteration \d+ of/g)).toHaveLength(3);
    expect(first.stderr).toContain('$0.80 of $1.00 is spent');
    expect(first.stdout).toContain('The budget is spent: $1.20 of $1.00.');
    const again = await place.unrut('--resume');
    expect(again.code).toBe(2);
    expect(again.stdout).toContain('The budget is spent: $2.00 of $2.00.');
  });

  test('is not ended by a budget that it stays below', async () => {
    const place = makePlace({
      'PROMPT.md': 'Write a chapter.\n',
      'agent.cjs': AGENT,
      'unrut.config.json': '{ "budget": { "usd": 9 } }',
    });
    const ended = await place.unrut(
      ...['--max-iterations', '3', 'PROMPT.md', '--', process.execPath, 'agent.cjs'],
    );
    expect(ended.stdout).toContain('max iterations');
    expect(`${ended.stdout}${ended.stderr}`).not.toContain('budget');
  });
});

describe('tasks', () => {
  const roadmap = readRoadmap(
    { tasks: ['A', 'B', 'C', 'D'].map((id) => ({ id, prompt: `Write chapter ${id}.` })) },
    'roadmap.yaml',
  );
  test.each([
    [{ usd: 1 }, 'limit', 'The budget is spent: $1.00 of $1.00 (budget).'],
    [{ usd: 9 }, 'done', undefined],
  ])('with the budget %j end with: %s', async (budget, ending, reason) => {
    const loop = new RoadmapLoop({
      roadmap,
      ledger: createMemoryLedger(),
      run: 'tasks',
      folder: newFolder(),
      looksAtFiles: false,
      guard: { budget },
      runAgent: async (_, { task }) => ({
        output: `Wrote chapter ${task.id}.\nTASK_COMPLETE`,
        exitCode: 0,
        cost: { usd: 0.5 },
      }),
    });
    const result = await loop.run();
    expect(result.ending).toBe(ending);
    if (reason) expect(result.reason).toBe(reason);
  });
});

describe('the gateway', () => {
  test('counts dollars by the prices that the user names, and ends the run', async () => {
    const upstream = await startUpstream(({ calls }) => ({
      calls: [
        { id: `call_number_${calls.length}`, tool: 'search', args: { q: `river ${calls.length}` } },
      ],
    }));
    const plans: string[] = [];
    const url = await serveGateway(upstream.url, {
      budget: { usd: 1 },
      prices: { script: { input: 20_000, output: 20_000 } },
      attended: false,
      onPlan: (plan) => plans.push(`${plan.rung} ${plan.reason}`),
    });
    const messages: object[] = [{ role: 'user', content: 'Go.' }];
    let last: { content?: string; tool_calls?: { id: string }[] } = {};
    for (let n = 0; n < 12; n++) {
      const { text } = await ask(`${url}/v1/chat/completions`, {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'scripted',
          messages,
          tools: [{ type: 'function', function: { name: 'search' } }],
        }),
      });
      last = JSON.parse(text).choices[0].message;
      if (!last.tool_calls) break;
      messages.push(last, {
        role: 'tool',
        tool_call_id: last.tool_calls[0]!.id,
        content: `Page ${n} is about the river ${n * 37}.`,
      });
    }
    expect(plans.at(-1)).toBe('stop budget/usd');
    expect(last.content).toContain('the budget is spent');
  });
});

describe('a framework', () => {
  const run = async (budget: object) => {
    let n = 0;
    const model = new MockLanguageModelV4({
      modelId: 'scripted',
      doGenerate: async () =>
        ({
          content:
            ++n > 9
              ? [{ type: 'text', text: 'All pages are read.' }]
              : [
                  {
                    type: 'tool-call',
                    toolCallId: `c${n}`,
                    toolName: 'read',
                    input: JSON.stringify({ page: n }),
                  },
                ],
          finishReason: { unified: n > 9 ? 'stop' : 'tool-calls', raw: undefined },
          usage: { inputTokens: { total: 10, noCache: 10 }, outputTokens: { total: 5, text: 5 } },
          warnings: [],
        }) as never,
    });
    const { text } = await generateText({
      model: guardModel(model as never, budget) as never,
      prompt: 'Read all pages.',
      stopWhen: stepCountIs(12),
      tools: {
        read: tool({
          inputSchema: z.object({ page: z.number() }),
          execute: async ({ page }) => `Page ${page} is about the river ${page * 41}.`,
        }),
      },
    });
    return text;
  };

  test('is stopped at its budget, and finishes below it', async () => {
    expect(await run({ budget: { steps: 4 } })).toContain('the budget is spent');
    expect(await run({ budget: { steps: 40 } })).toBe('All pages are read.');
  });
});

describe('events over HTTP', () => {
  test('are judged by the budget of the server', async () => {
    const { url } = await served(newPath(), {
      settingsIn: () => ({ guard: { budget: { usd: 1 } } }),
    });
    const event = (n: number) => ({
      type: 'call-finished',
      session: 's',
      at: 1_700_000_000_000 + n,
      call: { id: `c${n}`, tool: 'read', args: { page: n } },
      result: `Page ${n} is about the river ${n * 43}.`,
      cost: { usd: 0.5 },
    });
    const verdicts = await tellEvents(url, [event(1), event(2)]);
    expect(verdicts.map(({ plan }) => plan?.reason)).toEqual([undefined, 'budget/usd']);
    expect(verdicts[0]).toMatchObject({ budget: { figures: { usd: { spent: 0.5, limit: 1 } } } });
  });
});
