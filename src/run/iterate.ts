import type { Verdict } from '../guard.ts';
import { push } from '../recent.ts';
import { thisRunner } from '../tasks/runner.ts';
import { answerLoop, type Choose, countAnew } from './answer-loop.ts';
import { cannotStart } from './cannot-start.ts';
import { endAtLimit, endRun, type RunResult, runEntry } from './end-run.ts';
import { folderPrint } from './folder-print.ts';
import { labelIteration } from './label-iteration.ts';
import { isPromised } from './last-words.ts';
import { innerOf, loopFound } from './loop-found.ts';
import type { AgentTurn } from './run-agent-command.ts';
import { type FailedCheck, runChecks } from './run-checks.ts';
import { limitBefore, type RunSettings } from './run-settings.ts';
import { MAX_TRIED, type RunState, type TriedIteration } from './run-state.ts';
import type { RunStore } from './run-store.ts';

export interface IterateOptions {
  store: RunStore;
  settings: RunSettings;
  /** The project's folder. */
  cwd: string;
  /** Reads the task: before every iteration, so that it may change meanwhile. */
  readTask(): string;
  runAgent(prompt: string, context: { signal: AbortSignal; timeout: number }): Promise<AgentTurn>;
  choose: Choose;
  /** A person is asked to choose, so that the report lists what there is. */
  isAsked: boolean;
  signal: AbortSignal;
  /** The clock. */
  now: () => number;
  /** Is told how it goes. */
  onBegun?: (state: RunState) => void;
  onEnded?: (state: RunState) => void;
}

/**
 * Runs an agent on one task again and again, until it is done, goes round in circles, or reaches a limit. Every step is saved before the next:
 * the same store goes on where it stopped. Rejects only when the agent's command cannot be started.
 */
export async function iterate(options: IterateOptions): Promise<RunResult> {
  const { store, settings, signal, now } = options;
  await resumeRun(options);
  for (;;) {
    if (signal.aborted) return endRun(store, now(), 'interrupted', 'The run was interrupted.');
    const limit = limitBefore(store.state, settings);
    if (limit) return endAtLimit(store, limit, now());
    const verdict = await runIteration(options);
    if (!verdict) return endRun(store, now(), 'interrupted', 'The run was interrupted.');
    if (store.state.ending === 'done') return endRun(store, now(), 'done', store.state.reason);
    const loop = settings.shadow ? undefined : loopFound(verdict, store.state, settings.loopThreshold);
    const ended = loop && (await answerLoop(options, loop, verdict));
    if (ended) return ended;
    if (!loop && store.state.errors >= settings.maxErrors) return endAtLimit(store, 'consecutive_errors', now());
  }
}

/** Takes up a run where an earlier process left it. */
async function resumeRun({ store, now }: IterateOptions): Promise<void> {
  const { state } = store;
  if (state.isBegun) cutOff(state);
  const wasStopped = state.ending !== null;
  Object.assign(state, { runner: thisRunner(), errors: 0, ending: null, reason: '' });
  // Whoever takes it up has seen what it ended with.
  if (wasStopped) await countAnew(store, now());
  else await store.save();
}

/** One iteration, from its prompt to what the guard thinks of its output. Nothing when it was interrupted. */
async function runIteration(options: IterateOptions): Promise<Verdict | undefined> {
  const { store, settings, signal, now } = options;
  const { state } = store;
  const at = now();
  state.iteration++;
  state.isBegun = true;
  const iteration = state.iteration;
  const id = `${store.run}#${iteration}`;
  await store.observe({ type: 'iteration-started', session: store.run, at, id, iteration });
  options.onBegun?.(state);

  const prompt = composePrompt(options.readTask(), state, settings);
  const timeout = Math.min(settings.iterationTimeout ?? Number.POSITIVE_INFINITY, settings.maxRuntime - state.spent);
  const turn = await options.runAgent(prompt, { signal, timeout });
  if (turn.neverStarted) {
    state.iteration--;
    state.isBegun = false;
    await endRun(store, now(), 'interrupted', turn.problem ?? '');
    throw cannotStart(turn.problem);
  }
  if (turn.wasStopped) {
    state.spent += now() - at;
    cutOff(state);
    return undefined;
  }
  const promised = !turn.failed && isPromised(turn.output, settings.promise, prompt);
  const asks = settings.checks.length > 0 && (promised || !settings.needsPromise);
  const { cwd } = options;
  const isSilent = asks && !turn.failed && turn.output.trim() === '';
  const folder = isSilent ? await folderPrint(cwd) : '';
  const failedCheck = asks ? await runChecks(settings.checks, { cwd, signal, timeout }) : undefined;
  const isDone = asks ? failedCheck === undefined : settings.checks.length === 0 && promised;
  const { failed, exitCode, cost } = turn;
  const output = isSilent && failedCheck ? outputOfSilent(failedCheck, folder, state.silentFolder) : turn.output;
  state.silentFolder = isSilent && failedCheck ? await folderPrint(cwd) : null;
  return store.observe(
    {
      ...{ type: 'output-finished', session: store.run, at: now(), id, iteration, output, failed },
      ...(exitCode === null ? {} : { exitCode }),
      ...(Object.keys(cost).length > 0 ? { cost } : {}),
    },
    (verdict) => {
      noteIteration(state, { turn, verdict, failedCheck: signal.aborted ? undefined : failedCheck, duration: now() - at });
      if (isDone) Object.assign(state, { ending: 'done', reason: asks ? 'The checks passed.' : 'The agent reported that it is done.' });
      options.onEnded?.(state);
      return [runEntry(store, 'iteration_output', verdict.seen?.output?.text ?? '', now())];
    },
  );
}

interface Finished {
  turn: AgentTurn;
  verdict: Verdict;
  failedCheck: FailedCheck | undefined;
  duration: number;
}

function noteIteration(state: RunState, { turn, verdict, failedCheck, duration }: Finished): void {
  const inner = innerOf(verdict);
  state.isBegun = false;
  state.advice = null;
  state.failedCheck = failedCheck ?? null;
  state.spent += duration;
  state.cost.tokens += turn.cost.tokens ?? 0;
  state.cost.usd += turn.cost.usd ?? 0;
  state.errors = turn.failed ? state.errors + 1 : 0;
  state.signals += verdict.signals.length;
  push(state.tried, { iteration: state.iteration, what: labelIteration(turn, failedCheck), ...(inner ? { inner } : {}) }, MAX_TRIED);
}

function cutOff(state: RunState): void {
  state.isBegun = false;
  push(state.tried, { iteration: state.iteration, what: 'it was cut off', wasCutOff: true }, MAX_TRIED);
}

/**
 * What stands for the output of an iteration that printed nothing: how its check failed. Nothing when the agent has changed files since the
 * last such iteration, or when that cannot be told: then it may be at work. `before` is null after another kind of iteration.
 */
function outputOfSilent({ command, tail }: FailedCheck, folder: string, before: string | null): string {
  if (folder === '' || (before !== null && before !== folder)) return '';
  return tail || `The check \`${command}\` failed and printed nothing.`;
}

/** What of the settings the agent is told. */
interface PromptSettings {
  maxIterations: number;
  promise: string;
  /** The promise counts. */
  needsPromise: boolean;
  checks: readonly string[];
}

/** The prompt of the next iteration: the task, how it is known to be done, and the scratchpad of what was tried. */
function composePrompt(task: string, state: RunState, settings: PromptSettings): string {
  const parts = [task.trimEnd(), '---', aboutTheEnd(state, settings)];
  if (state.tried.length > 0) parts.push(`What earlier iterations came to:\n\n${state.tried.map(line).join('\n')}`);
  const { failedCheck, advice } = state;
  if (failedCheck)
    parts.push(
      `The check \`${failedCheck.command}\` failed after the last iteration:\n\n${indented(failedCheck.tail || '(it printed nothing)')}`,
    );
  if (advice !== null) parts.push(advice);
  return `${parts.join('\n\n')}\n`;
}

function aboutTheEnd({ iteration }: RunState, { maxIterations, promise, needsPromise, checks }: PromptSettings): string {
  const sentences = [
    `This is iteration ${iteration} of at most ${maxIterations}; you remember nothing of the earlier ones but what stands here.`,
    'Nobody can answer questions.',
  ];
  if (checks.length > 0)
    sentences.push(`The task is done when these commands succeed: ${checks.map((check) => `\`${check}\``).join(', ')}.`);
  if (needsPromise)
    sentences.push(`Write ${promise} as the last line of your answer when the task is done and you have checked it, and not before.`);
  return sentences.join(' ');
}

const line = ({ iteration, what, inner }: TriedIteration): string =>
  `- Iteration ${iteration}: ${what}${inner ? ` (it went round in circles: ${inner.text})` : ''}`;

const indented = (text: string): string => text.replace(/^/gm, '    ');
