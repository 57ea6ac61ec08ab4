import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { GuardOptions } from '@unrut/engine/guard';
import { errorReason } from '@unrut/engine/redact/reason';
import { printable } from '@unrut/engine/text/printable';
import type { Settings } from '@unrut/ledger/config/settings';
import type { Ledger } from '@unrut/ledger/ledger';
import { notify } from '@unrut/ledger/notify/notify';
import type { Choose } from '@unrut/tasks/run/answer-loop';
import { CHOICES, type Choice } from '@unrut/tasks/run/escalation-report';
import { iterate } from '@unrut/tasks/run/iterate';
import { runAgentCommand } from '@unrut/tasks/run/run-agent-command';
import { detectorsOf, runGuard } from '@unrut/tasks/run/run-guard';
import { createRunLog, runLogPath } from '@unrut/tasks/run/run-log';
import type { RunState } from '@unrut/tasks/run/run-state';
import { RunStore } from '@unrut/tasks/run/run-store';
import { waitingOut } from '@unrut/tasks/run/wait-out';
import { ROADMAP_EXIT } from '@unrut/tasks/run-status';
import { openWorkspace } from '@unrut/tasks/workspace';
import { usageError } from './exit.ts';
import { printJson } from './printed.ts';
import { onLoop, patienceOf, type RunArguments, runSettings, stallOf } from './run-arguments.ts';
import { createRunScreen, plainReport, progressLine, summaryLines } from './run-screen.ts';
import { whenInterrupted } from './when-interrupted.ts';

/** A run that is started or resumed. */
export interface RunContext {
  ledger: Ledger;
  run: string;
  state: RunState;
  given: RunArguments;
  settings: Settings;
  guard: GuardOptions;
}

/** Iterates one prompt. Returns the exit code. */
export async function runPrompt({
  ledger,
  run,
  state,
  given,
  settings,
  guard,
}: RunContext): Promise<number> {
  const limits = runSettings(given, settings.shadow);
  const choice = onLoop(given);
  const { parallel, watch, json } = given.values;
  if (parallel !== undefined || watch)
    throw usageError(
      `${watch ? '--watch' : '--parallel'} is for a roadmap (a .yaml or .json file with tasks), not for a single prompt.`,
    );
  const isApart = json === true;
  const screen = createRunScreen({
    isApart,
    log: createRunLog(runLogPath(settings.ledger.path), run),
  });
  const cwd = state.folder;
  const command = given.command as [string, ...string[]];
  const { signal, dispose } = whenInterrupted(() =>
    screen.say('Stopping the agent and everything it started …'),
  );
  const threshold = given.values['loop-threshold'] === undefined ? undefined : limits.loopThreshold;
  const guarding = runGuard(guard, threshold);
  state.detectors = detectorsOf(guarding);
  const store = new RunStore(ledger, run, state, guarding, onceTold(screen.say));

  const isAsked = choice === undefined && process.stdin.isTTY && process.stderr.isTTY;
  const choose: Choose = async (report, { continued, iteration }, isLast) => {
    screen.say(`Loop detected in iteration ${iteration}.`);
    await screen.show(`\n${shownReport(report)}\n`, 'stdout');
    if (isLast) return choice === 'escalate' ? 'escalate' : 'stop';
    if (isAsked) return askChoice({ input: process.stdin, output: process.stderr }, signal);
    const chosen = choice ?? (continued === 0 ? 'continue' : 'stop');
    const nobody = choice === undefined ? 'No terminal to ask at: ' : '';
    if (chosen === 'continue')
      screen.say(
        `${nobody}continuing; the agent is warned about the loop and asked to try something else.`,
      );
    else if (nobody)
      screen.say(`${nobody}already continued once, so stopping. Use --on-loop to change this.`);
    return chosen;
  };
  const file = resolve(cwd, given.operands[0]!);
  const readTask = taskReader(file, screen.say);
  const patient = waitingOut({ ...patienceOf(given), now: Date.now, sleep, say: screen.say });
  const workspace = await openWorkspace(cwd);
  const stall = stallOf(given);
  const noCost = costWarning(limits.maxCost, screen.say);
  try {
    const result = await iterate({
      store,
      settings: limits,
      cwd,
      workspace,
      choose,
      isAsked,
      signal,
      now: Date.now,
      readTask: () => [readTask(), ...notesFrom(file)].join('\n\n'),
      runAgent: (prompt, context) => {
        const { conversation } = store.state;
        return patient(
          () =>
            runAgentCommand(command, prompt, {
              ...context,
              run,
              cwd,
              conversation,
              show: screen.show,
              stall,
            }),
          context.signal,
        );
      },
      onNote: screen.say,
      onBegun: (now) => screen.say(progressLine(now, limits)),
      onEnded: ({ tried, cost, errors }) => {
        const last = tried.at(-1);
        if (errors > 0 && last) screen.say(`Iteration ${last.iteration} failed: ${last.what}.`);
        if (last?.work) screen.say(`It ${last.work}.`);
        if (last?.inner) screen.say(`Inside: ${last.inner.text}.`);
        noCost(cost.usd);
      },
    });
    if (result.ending === 'limit')
      await screen.show(`\n${shownReport(result.report ?? '')}\n`, 'stdout');
    for (const line of summaryLines(run, result, store.state)) screen.say(line);
    if (result.ending === 'escalated')
      notify(settings.notify, {
        plan: {
          rung: 'escalate',
          reason: 'run/loop',
          recovery: 'escalate',
          toHuman: result.reason,
        },
        session: run,
        at: Date.now(),
      });
    const { iteration: iterations, spent, cost, signals } = store.state;
    if (isApart)
      printJson<'run'>({ run, ...result, iterations, milliseconds: spent, cost, signals }, 2);
    return ROADMAP_EXIT[result.ending];
  } finally {
    dispose();
    await workspace.close();
  }
}

/** Warns once if a run has a cost limit but its agent reports no cost. */
export function costWarning(
  maxCost: number | undefined,
  say: (line: string) => void,
): (usd: number) => void {
  let isTold = maxCost === undefined;
  return (usd) => {
    if (!isTold && usd === 0)
      say(
        'The agent does not say what it costs, so --max-cost cannot end this run. --max-iterations and --max-runtime can.',
      );
    isTold = true;
  };
}

/**
 * The user's notes for the next iteration, from a file next to the prompt or roadmap:
 * `PROMPT.notes.md` for `PROMPT.md`.
 */
export function notesFrom(file: string): string[] {
  try {
    const text = readFileSync(`${file.replace(/\.\w+$/, '')}.notes.md`, 'utf8').trim();
    return text === '' ? [] : [`A note from the person who started this, for now:\n\n${text}`];
  } catch {
    return [];
  }
}

/** Waits, until it is aborted. */
export const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  wait(milliseconds, undefined, { signal }).catch(() => {});

/**
 * Reads the current text of the task. If the file disappears, that is reported once and the last
 * text is used.
 */
function taskReader(file: string, say: (line: string) => void): () => string {
  let task = readTask(file);
  const warn = onceTold(say);
  return () => {
    try {
      task = readTask(file);
    } catch (error) {
      warn(error);
    }
    return task;
  };
}

function readTask(file: string): string {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(
      `Cannot read ${file}: ${errorReason(error)}. Expected a file that contains the prompt.`,
    );
  }
  if (text.trim() === '')
    throw usageError(`${file} is empty. Expected a prompt that says what to do.`);
  return text;
}

const onceTold = (say: (line: string) => void): ((error: unknown) => void) => {
  let isTold = false;
  return (error) => {
    if (!isTold) say(`${printable(errorReason(error))} The run continues.`);
    isTold = true;
  };
};

/** Where a person is. */
interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

/**
 * Asks the user at the terminal until one of the choices is picked. Undefined if they press Ctrl-C
 * or leave.
 */
export async function askChoice(
  { input, output }: Terminal,
  signal: AbortSignal,
): Promise<Choice | undefined> {
  const leaving = new AbortController();
  const terminal = createInterface({ input, output });
  for (const event of ['SIGINT', 'close'] as const) terminal.once(event, () => leaving.abort());
  try {
    for (;;) {
      const answer = await terminal.question('Pick 1, 2 or 3: ', {
        signal: AbortSignal.any([signal, leaving.signal]),
      });
      const choice = CHOICES[Number(answer.trim()) - 1];
      if (choice) return choice;
    }
  } catch {
    return undefined;
  } finally {
    terminal.close();
  }
}

/** Programs read Markdown. */
const shownReport = (report: string): string =>
  process.stdout.isTTY ? plainReport(report) : report;
