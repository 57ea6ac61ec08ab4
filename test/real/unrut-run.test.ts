import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Agent } from './agents/agent.ts';
import { claudeCode } from './agents/claude-code.ts';
import { codex } from './agents/codex.ts';
import { geminiCli } from './agents/gemini-cli.ts';
import { opencode } from './agents/opencode.ts';
import { INSTALL_TIMEOUT, installAgent, PATH } from './install-agent.ts';
import { installUnrut, programsOf } from './install-unrut.ts';
import type { Asked, Reply } from './model/model.ts';
import { startModelServer } from './model-server.ts';
import { PROJECT } from './project.ts';

/** How a run of `unrut run` ended, and the prompts that reached the model. */
interface Ran {
  code: number | null;
  result: {
    ending: string;
    iterations: number;
    report?: string;
    cost: { tokens: number; usd: number };
  };
  prompts: string[];
  output: string;
}

const OPTIONS = ['--json', '--max-runtime', '5m', '--loop-threshold', '2', '--on-loop'];
/** Some of them take long to start on a busy machine. */
const MAX_LENGTH = 400_000;
const files = (folder: string, contents: Readonly<Record<string, string>>): void => {
  for (const [name, content] of Object.entries(contents)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
};

/** What of a request is the prompt of an iteration. */
const promptIn = ({ news }: Asked): string | undefined =>
  news.find((each) => each.includes('This is iteration'));

/**
 * Runs `unrut run` with a real agent, whose model answers by the prompt of the iteration and what
 * it has said in it already.
 */
async function unrutRun(
  agent: Agent,
  args: string[],
  onLoop: string,
  model: (prompt: string, asked: number) => Reply,
): Promise<Ran> {
  const command = await installAgent(agent);
  const folder = mkdtempSync(join(tmpdir(), `unrut-run-${agent.name}-`));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const place = { home: join(folder, 'home'), project: join(folder, 'project'), url: '' };
  const prompts: string[] = [];
  let asked = 0;
  const server = await startModelServer(agent.api, (_, request) => {
    const prompt = promptIn(request);
    if (prompt !== undefined) prompts.push(prompt);
    asked = prompt === undefined ? asked + 1 : 1;
    return model(prompts.at(-1) ?? '', asked);
  });
  onTestFinished(() => server.close());
  place.url = server.url;
  files(place.home, agent.settings(place));
  files(place.project, { ...PROJECT, 'PROMPT.md': 'Get the check to pass.\n' });
  await installUnrut(agent)(place);
  const env = { PATH, HOME: place.home, TERM: 'dumb', ...agent.environment(place) };
  const cli = join(programsOf(place), 'cli.js');
  const child = spawn(
    'node',
    [cli, 'run', 'PROMPT.md', ...OPTIONS, onLoop, '--', command, ...args],
    {
      cwd: place.project,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [code, stdout, output] = await Promise.all([exit, text(child.stdout), text(child.stderr)]);
  return { code, result: stdout === '' ? undefined : JSON.parse(stdout), prompts, output };
}

/** In addition to what `unrut run` adds. */
const AGENTS: [string, Agent, string[]][] = [
  ['Claude Code', claudeCode, []],
  [
    'Codex',
    codex,
    [
      'exec',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      '--dangerously-bypass-hook-trust',
    ],
  ],
  ['Gemini CLI', geminiCli, ['--yolo', '-m', 'gemini-2.5-flash']],
  ['OpenCode', opencode, []],
];

describe.each(AGENTS)('unrut run with %s', (_, agent, args) => {
  beforeAll(() => installAgent(agent), INSTALL_TIMEOUT);

  it(
    'catches the same answer twice, and the agent that reads the note finishes',
    async () => {
      const ran = await unrutRun(agent, args, 'continue', (prompt) => ({
        text: prompt.includes('repeating yourself')
          ? 'Did it another way.\n\nTASK_COMPLETE'
          : 'Fixed sum.txt - added the missing line',
      }));
      expect(ran.code, ran.output).toBe(0);
      expect(ran.result).toMatchObject({ ending: 'done', iterations: 3 });
      expect(ran.result.cost.tokens).toBeGreaterThan(0);
      expect(ran.prompts).toHaveLength(3);
      expect(ran.prompts[2]).toContain('- Iteration 2: Fixed sum.txt - added the missing line');
      expect(ran.output).toContain('Did it another way.');
    },
    MAX_LENGTH,
  );
});

// The other two are no different here.
describe.each(AGENTS.slice(0, 2))('unrut run with %s and its hooks', (_, agent, args) => {
  beforeAll(() => installAgent(agent), INSTALL_TIMEOUT);

  it(
    'learns that each iteration was looping on the same failing check',
    async () => {
      const words = ['the parser', 'all the imports', 'how sums are read'];
      const ran = await unrutRun(agent, args, 'stop', (prompt, asked) => {
        const iteration = Number(/This is iteration (\d+)/.exec(prompt)?.[1] ?? 0);
        return asked > 4
          ? { text: `I rewrote ${words[iteration % 3]} this time.` }
          : { calls: [agent.tools.shell('sh check.sh')] };
      });
      expect(ran.code, ran.output).toBe(3);
      expect(ran.result).toMatchObject({ ending: 'loop', iterations: 2 });
      expect(ran.result.report).toContain('were each looping on the same thing inside: `sh');
    },
    MAX_LENGTH,
  );
});
