import { spawn } from 'node:child_process';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Agent } from './agents/agent.ts';
import { claudeCode } from './agents/claude-code.ts';
import { heardIn } from './heard-in.ts';
import { INSTALL_TIMEOUT, installAgent } from './install-agent.ts';
import { installUnrut } from './install-unrut.ts';
import { beginRun } from './run-agent.ts';
import { GO_ON, insistsTwice, noLoop, type ScriptOf } from './scripts.ts';

const TASK = 'Get the check to pass.';

/** Claude Code as a person has it on a screen: set up, the folder trusted, the key accepted. */
const onScreen: Agent = {
  ...claudeCode,
  settings: (place) => ({
    ...claudeCode.settings(place),
    '.claude.json': JSON.stringify({
      hasCompletedOnboarding: true,
      theme: 'dark',
      customApiKeyResponses: { approved: ['none'], rejected: [] },
      projects: { [place.project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    }),
  }),
};

beforeAll(() => installAgent(onScreen), INSTALL_TIMEOUT);

/** Runs the agent in a terminal of its own. What a terminal shows is read as words: moves and colours left out. */
async function inTerminal(script: ScriptOf) {
  const { command, place, model, environment } = await beginRun(onScreen, script, installUnrut(claudeCode));
  const inside = `stty cols 200 rows 50; exec '${command}' '${TASK}'`;
  const child = spawn('script', ['-qefc', inside, '/dev/null'], {
    cwd: place.project,
    env: { ...environment, TERM: 'xterm-256color' },
    detached: true,
  });
  onTestFinished(() => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const words = (from = 0): string =>
    shown
      .slice(from)
      .replace(/\u001b\[(\d*)C/g, ' ')
      .replace(/\u001b(?:\[[\d;?<>=]*[a-zA-Z]|\][^\u0007]*\u0007|[()=>78].?)/g, '')
      .replace(/\s+/g, ' ');
  return {
    model,
    shows: (text: RegExp, from = 0) => expect.poll(() => words(from), { timeout: 120_000, interval: 200 }).toMatch(text),
    mark: (): number => shown.length,
    type: (text: string) => child.stdin.write(text),
  };
}

it('Claude Code in a terminal: the person sees what was said, asked and stopped, says go on, and it begins two rungs below', async () => {
  const { model, shows, mark, type } = await inTerminal(insistsTwice);
  await shows(/Unrut told the agent: `sh check\.sh` failed 3 times with the same error/);
  await shows(/Unrut stopped the run: `sh check\.sh` failed \d times with the same error/);
  const before = model.exchanges.length;
  const said = model.exchanges.flatMap(({ news }) => heardIn(news));
  // Somebody is there: asked to look, and not asked for a last report.
  expect(said).toEqual(['note', 'hint', 'block', 'escalate', 'block', 'block']);
  const from = mark();
  type(GO_ON);
  await shows(/I have looked/, from);
  type('\r');
  await shows(/Unrut stopped the run/, from);
  const after = model.exchanges.slice(before).map(({ news }) => heardIn(news).join());
  expect(after.slice(0, 6)).toEqual(['', '', '', '', 'block', 'escalate']);
});

it('twin: work that gets on shows nothing of Unrut', async () => {
  const { model, shows } = await inTerminal(noLoop);
  await shows(/Done\./);
  expect(model.exchanges.flatMap(({ news }) => heardIn(news))).toEqual([]);
});
