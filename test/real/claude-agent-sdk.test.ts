import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { unrutHooks } from '../../packages/adapters/src/frameworks/claude-agent-sdk/index.ts';
import { root } from '../../scripts/build.ts';
import { claudeCode } from './agents/claude-code.ts';
import { heardIn } from './heard-in.ts';
import { INSTALL_TIMEOUT, installAgent, installPackage, PATH } from './install-agent.ts';
import { startModelServer } from './model-server.ts';
import { PROJECT } from './project.ts';
import { insists, nested, noLoop, type ScriptOf } from './scripts.ts';

/** The ends of the range that is supported. */
const VERSIONS = ['0.3.142', '0.3.325'];

type Query = (given: {
  prompt: string;
  options: object;
}) => AsyncIterable<{ type: string; subtype?: string; terminal_reason?: string }>;

beforeAll(async () => {
  for (const version of VERSIONS) await installPackage('@anthropic-ai/claude-agent-sdk', version);
  await installAgent(claudeCode);
}, INSTALL_TIMEOUT);

/** Reads a hundred pages, four in each response. */
const readsOn: ScriptOf = ({ tools }, { project }) => {
  const pages = Array.from({ length: 100 }, (_, i) => join(project, `page-${i}.txt`));
  for (const [i, page] of pages.entries())
    writeFileSync(page, `This is word ${i * 7919} of the book.\n`);
  return (turn) =>
    turn > 25
      ? { text: 'Done.' }
      : { calls: pages.slice(4 * turn - 4, 4 * turn).map((page) => tools.read(page)) };
};

/** A fresh project, and a model that follows a script. */
async function open(script: ScriptOf) {
  const folder = mkdtempSync(join(tmpdir(), 'unrut-agent-sdk-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const place = { home: folder, project: folder, url: '' };
  for (const [name, content] of Object.entries(PROJECT)) writeFileSync(join(folder, name), content);
  const model = await startModelServer(claudeCode.api, script(claudeCode, place));
  onTestFinished(() => model.close());
  return { place, url: model.url, exchanges: model.exchanges };
}

/** Runs an agent of the SDK. */
async function run(version: string, script: ScriptOf, hooks?: object, more: object = {}) {
  const { place, url, exchanges } = await open(script);
  const { query } = (await import(
    join(await installPackage('@anthropic-ai/claude-agent-sdk', version), 'sdk.mjs')
  )) as { query: Query };
  const options = {
    cwd: place.project,
    pathToClaudeCodeExecutable: await installAgent(claudeCode),
    env: { PATH, HOME: place.home, ...claudeCode.environment({ ...place, url }) },
    allowedTools: ['Bash', 'Read', 'Edit', 'Agent'],
    ...(hooks ? { hooks } : {}),
    ...more,
  };
  let end = {};
  let error = '';
  try {
    for await (const message of query({ prompt: 'Get the check to pass.', options }))
      if (message.type === 'result') end = message;
  } catch (thrown) {
    error = String(thrown);
  }
  return {
    end,
    error,
    // Folders, ids, the order of results that come at once, and the program's own reminders differ
    // from run to run.
    read: exchanges.map(({ news }) =>
      news
        .filter((text) => !/^toolu_|hasn't heard from you/.test(text))
        .map((text) => text.replaceAll(place.project, ''))
        .sort(),
    ),
    heard: exchanges.flatMap(({ news, nested: isNested }) =>
      heardIn(news).map((rung) => `${isNested ? 'nested ' : ''}${rung}`),
    ),
  };
}

describe('the Claude Agent SDK', () => {
  it.each(VERSIONS)('%s is warned, hinted, blocked and stopped', async (version) => {
    const rungs: string[] = [];
    const { end, heard } = await run(
      version,
      insists,
      unrutHooks({ onPlan: ({ rung }) => void rungs.push(rung) }),
    );
    expect(heard.slice(0, 4)).toEqual(['note', 'hint', 'block', 'escalate']);
    expect([...new Set(rungs)]).toEqual(['note', 'hint', 'block', 'escalate', 'stop']);
    expect(end).toMatchObject({ subtype: 'success', terminal_reason: 'hook_stopped' });
  });

  it('tells a nested agent that loops', async () => {
    const agents: unknown[] = [];
    const { heard } = await run(
      VERSIONS[1]!,
      nested,
      unrutHooks({ onPlan: (_, { agent }) => void agents.push(typeof agent) }),
    );
    expect([heard, agents]).toEqual([['nested note'], ['string']]);
  });

  it('is guarded by the line of the example', async () => {
    const { place, url } = await open(insists);
    const sdk = join(
      await installPackage('@anthropic-ai/claude-agent-sdk', VERSIONS[1]!),
      'sdk.mjs',
    );
    const program = readFileSync('examples/frameworks/claude-agent-sdk.mjs', 'utf8')
      .replace("'@anthropic-ai/claude-agent-sdk'", JSON.stringify(sdk))
      .replace(
        "'unrut/claude-agent-sdk'",
        JSON.stringify(join(root, 'packages/adapters/src/frameworks/claude-agent-sdk/index.ts')),
      );
    writeFileSync(join(place.home, 'example.mjs'), program);
    const env = {
      PATH,
      HOME: place.home,
      CLAUDE_PATH: await installAgent(claudeCode),
      ...claudeCode.environment({ ...place, url }),
    };
    const { stdout } = await promisify(execFile)(process.execPath, ['example.mjs'], {
      cwd: place.home,
      env,
    });
    const lines = stdout.trim().split('\n');
    const said = new Set(lines.map((line) => line.split(':', 1)[0]));
    expect([...said]).toEqual(['note', 'hint', 'block', 'escalate', 'stop', 'The run ended']);
    expect(lines.at(-1)).toBe('The run ended: hook_stopped');
  });

  it.each(VERSIONS)(
    '%s reads the same with and without it in a healthy run of 100 steps',
    async (version) => {
      const rungs: string[] = [];
      const without = await run(version, readsOn);
      const guarded = await run(
        version,
        readsOn,
        unrutHooks({ onPlan: ({ rung }) => void rungs.push(rung) }),
      );
      expect(guarded.end).toMatchObject({ subtype: 'success', result: 'Done.' });
      expect(JSON.stringify(guarded.read).match(/word \d+ of the book/g)).toHaveLength(100);
      expect(guarded.read).toEqual(without.read);
      expect(rungs).toEqual([]);
    },
  );

  it('ends a run whose answer has to match a schema as any other, without an answer', async () => {
    const outputFormat = {
      type: 'json_schema',
      schema: { type: 'object', properties: { found: { type: 'string' } }, required: ['found'] },
    };
    const rungs: string[] = [];
    const hooks = unrutHooks({ onPlan: ({ rung }) => void rungs.push(rung) });
    const { end, error } = await run(VERSIONS[1]!, insists, hooks, { outputFormat });
    expect([rungs.at(-1), error]).toEqual(['stop', '']);
    expect(end).toMatchObject({ subtype: 'success', terminal_reason: 'hook_stopped' });
    expect((end as { structured_output?: unknown }).structured_output).toBeUndefined();
  });

  it('passes an abort on', async () => {
    const aborted = async (hooks?: object): Promise<string> => {
      const abortController = new AbortController();
      const script: ScriptOf = ({ tools }) => {
        const shell = { calls: [tools.shell('sh check.sh')] };
        return (turn) => {
          if (turn === 2) abortController.abort();
          return shell;
        };
      };
      return (await run(VERSIONS[1]!, script, hooks, { abortController })).error;
    };
    const bare = await aborted();
    expect(bare).toMatch(/abort/i);
    expect(await aborted(unrutHooks())).toBe(bare);
  });

  it('passes an error of the provider on', async () => {
    const server = createServer((_, response) => {
      const error = { type: 'invalid_request_error', message: 'The model is not to be had.' };
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ type: 'error', error }));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const failed = async (hooks?: object) => {
      const { end, error } = await run(VERSIONS[1]!, noLoop, hooks, {
        env: { PATH, HOME: tmpdir(), ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'none' },
      });
      const { subtype, is_error, result } = end as Record<string, unknown>;
      return { subtype, is_error, result, error };
    };
    const bare = await failed();
    expect(JSON.stringify(bare)).toContain('The model is not to be had.');
    expect(await failed(unrutHooks())).toEqual(bare);
  });

  it('gets no note when it gets on', async () => {
    const rungs: string[] = [];
    const { end, heard } = await run(
      VERSIONS[1]!,
      noLoop,
      unrutHooks({ onPlan: ({ rung }) => void rungs.push(rung) }),
    );
    expect([heard, rungs]).toEqual([[], []]);
    expect(end).toMatchObject({ subtype: 'success', result: 'Done.' });
  });
});
