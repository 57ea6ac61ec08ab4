import { spawn } from 'node:child_process';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Agent } from './agents/agent.ts';
import { claudeCode } from './agents/claude-code.ts';
import { codex } from './agents/codex.ts';
import { geminiCli } from './agents/gemini-cli.ts';
import { opencode } from './agents/opencode.ts';
import { heardIn } from './heard-in.ts';
import { INSTALL_TIMEOUT, installAgent } from './install-agent.ts';
import { installUnrut } from './install-unrut.ts';
import { beginRun } from './run-agent.ts';
import { GO_ON, ONCE_MORE, type ScriptOf, worksThenInsists } from './scripts.ts';

const TASK = 'Get the check to pass.';
/**
 * Of one thing that a person waits for; on a busy machine an agent takes half a minute for a call.
 */
const MAX_WAIT = 280_000;
const MAX_LENGTH = 900_000;

/** An agent as a person has it on a screen, and what that person sees of Unrut. */
interface Screen {
  /** Set up, the folder trusted, the key accepted. */
  agent: Agent;
  args: string;
  /** It says when it starts that it is watched. */
  greets?: true;
  /** What it asks at its start, and the keys that answer. */
  asks?: [question: string, keys: string];
  /** What the person sees of a loop, in this order, up to where it ends. */
  sees: string[];
  /** What the model reads up to there. */
  hears: string[];
  /**
   * What it reads first after the user has said "go on", and at which request: two rungs below its
   * last.
   */
  again: [request: number, rung: string];
}

const SCREENS: Screen[] = [
  {
    agent: {
      ...claudeCode,
      settings: (place) => ({
        ...claudeCode.settings(place),
        '.claude.json': JSON.stringify({
          hasCompletedOnboarding: true,
          theme: 'dark',
          customApiKeyResponses: { approved: ['none'], rejected: [] },
          projects: {
            [place.project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true },
          },
        }),
      }),
    },
    args: `--permission-mode default '${TASK}'`,
    greets: true,
    sees: [
      'Unrut told the agent: `sh check.sh` failed 3 times with the same error',
      'Unrut stopped the run',
    ],
    hears: ['note', 'hint', 'block', 'escalate', 'block', 'block'],
    again: [5, 'block'],
  },
  {
    agent: {
      ...codex,
      settings: (place) => ({
        '.codex/config.toml': `${codex.settings(place)['.codex/config.toml']}\n[projects."${place.project}"]\ntrust_level = "trusted"\n`,
      }),
    },
    greets: true,
    args: `--dangerously-bypass-approvals-and-sandbox --dangerously-bypass-hook-trust '${TASK}'`,
    asks: ['Use existing model', '2\r'],
    // No hook of Codex ends a run: it is refused until the model gives up.
    sees: ['Unrut (loop guard) did not run', 'I give up.'],
    hears: ['note', 'hint', 'block', 'escalate', 'block', 'block', 'block'],
    again: [4, 'hint'],
  },
  {
    agent: geminiCli,
    args: `--yolo -m gemini-2.5-flash -i '${TASK}'`,
    sees: [
      'Unrut told the agent: sh check.sh failed 3 times with the same error',
      'Agent execution stopped: Unrut stopped the run',
    ],
    hears: ['note', 'hint', 'block', 'escalate', 'block', 'block'],
    again: [5, 'block'],
  },
  {
    agent: opencode,
    args: `--prompt '${TASK}'`,
    sees: ['stopped the run'],
    hears: ['note', 'hint', 'block', 'escalate', 'block', 'block'],
    again: [5, 'block'],
  },
];

/**
 * A terminal is told where to write, not what is blank, and what is there already is not written
 * again.
 */
const lettersOf = (text: string): string => text.replace(/[^a-zA-Z\d]/g, '');

/**
 * Letters of a text that stood in its place already may be missing from it, unless it is so short
 * that chance would do.
 */
const LETTERS_NEEDED = 0.6;
const SHORT = 12;

/** Whether these letters were written at one place, but for those that stood there already. */
function isWritten(letters: string, text: string): boolean {
  if (text.length < SHORT) return letters.includes(text);
  for (let from = 0; from < letters.length; from++) {
    let written = 0;
    for (
      let at = text.indexOf(letters[from]!);
      at >= 0;
      at = text.indexOf(letters[from + written] ?? '\n', at + 1)
    )
      written++;
    if (written >= text.length * LETTERS_NEEDED) return true;
  }
  return false;
}

/**
 * Runs the agent in a terminal of its own. What it shows is read by its letters: moves, colours and
 * blanks left out.
 */
async function inTerminal({ agent, args, asks }: Screen, script: ScriptOf) {
  const { command, place, model, environment } = await beginRun(agent, script, installUnrut(agent));
  const inside = `stty cols 200 rows 50; exec '${command}' ${args}`;
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
  const words = (from: number): string =>
    lettersOf(
      shown
        .slice(from)
        .replace(
          /\u001b(?:\[[\d;?<>=$]*[a-zA-Z]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|P[^\u001b]*\u001b\\|[()].)/g,
          '',
        ),
    );
  const shows = (text: string, from = 0) =>
    expect
      .poll(() => isWritten(words(from), lettersOf(text)) || words(from), {
        timeout: MAX_WAIT,
        interval: 200,
      })
      .toBe(true);
  const type = (text: string): void => void child.stdin.write(text);
  /** Types something, and sends it off once it is to be seen. Returns what was shown before it. */
  const says = async (text: string, seen: string): Promise<number> => {
    const from = shown.length;
    type(text);
    await shows(seen, from);
    type('\r');
    return from;
  };
  if (asks) {
    await shows(asks[0]);
    type(asks[1]);
  }
  return { model, shows, says, shown: (): string => words(0) };
}

describe.each(SCREENS)('$agent.name in a terminal', (screen) => {
  const { agent, greets, sees, hears, again } = screen;
  beforeAll(() => installAgent(agent), INSTALL_TIMEOUT);

  it('shows nothing of Unrut during honest work, then the notes of a loop and its end; after "go on" it begins two rungs below', {
    timeout: MAX_LENGTH,
  }, async () => {
    const { model, shows, says, shown } = await inTerminal(screen, worksThenInsists);
    const heard = (): string[] => model.exchanges.flatMap(({ news }) => heardIn(news));
    await shows('Done.');
    expect(heard()).toEqual([]);
    // The first session after an installation says once that it is watched.
    expect(shown().split('Unrut').length - 1).toBeLessThanOrEqual(greets ? 1 : 0);
    const from = await says(ONCE_MORE, 'Once more');
    for (const text of sees) await shows(text, from);
    const before = model.exchanges.length;
    // Somebody is there: asked to look, and not asked for a last report.
    expect(heard()).toEqual(hears);
    await says(GO_ON, 'looked');
    const [request, rung] = again;
    await expect
      .poll(() => model.exchanges.length - before, { timeout: MAX_WAIT })
      .toBeGreaterThanOrEqual(request);
    const after = model.exchanges
      .slice(before, before + request)
      .map(({ news }) => heardIn(news).join());
    expect(after).toEqual([...Array.from({ length: request - 1 }, () => ''), rung]);
  });
});
