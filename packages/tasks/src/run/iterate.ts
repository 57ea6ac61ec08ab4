import { extractSignature, plainOutput } from '@unrut/engine/fingerprint';
import type { Verdict } from '@unrut/engine/guard';
import { present } from '@unrut/engine/json';
import { isOfBudget, spentText } from '@unrut/engine/policy/spending';
import { push } from '@unrut/engine/recent';
import { sentence } from '@unrut/engine/recoveries/wording';
import { redact } from '@unrut/engine/redact/redact';
import { cut, printable } from '@unrut/engine/text/printable';
import type { FailedCheck } from '../checks.ts';
import { runIteration } from '../iteration.ts';
import { claimsDone } from '../last-words.ts';
import { thisRunner } from '../runner.ts';
import { workLoop } from '../work-loop.ts';
import type { Workspace } from '../workspace.ts';
import { answerLoop, type Choose, countAnew, isNotDone } from './answer-loop.ts';
import { endAtLimit, endRun, type RunResult, runEntry } from './end-run.ts';
import { innerOf, loopFound } from './loop-found.ts';
import { type AgentTurn, cannotStart } from './run-agent-command.ts';
import { limitBefore, type RunSettings } from './run-settings.ts';
import { MAX_TRIED, type RunState, type TriedIteration } from './run-state.ts';
import type { RunStore } from './run-store.ts';

export interface IterateOptions {
  store: RunStore;
  settings: RunSettings;
  /** The project's folder. */
  cwd: string;
  /** Examines changed files. Without it, only outputs are judged. */
  workspace?: Workspace | undefined;
  /** Reads the task. Called before every iteration, so that the task can change during the run. */
  readTask(): string;
  runAgent(prompt: string, context: { signal: AbortSignal; timeout: number }): Promise<AgentTurn>;
  choose: Choose;
  /** The user is asked to choose, so the report lists the choices. */
  isAsked: boolean;
  signal: AbortSignal;
  /** The clock. */
  now: () => number;
  /** Called when an iteration begins. */
  onBegun?: (state: RunState) => void;
  onEnded?: (state: RunState) => void;
  /** Receives notes for the user during the run. */
  onNote?: (line: string) => void;
}

/**
 * Runs an agent on one task repeatedly, until it is done, loops, or reaches a limit. Every step is
 * saved before the next, so that the same store resumes the run. Rejects only if the agent's
 * command cannot be started.
 */
export async function iterate(options: IterateOptions): Promise<RunResult> {
  const { store, settings, signal, now } = options;
  await resumeRun(options);
  const interrupted = (): Promise<RunResult> =>
    endRun(store, now(), 'interrupted', 'The run was interrupted.');
  return workLoop<'iteration', RunResult>({
    parallel: 1,
    endsNow() {
      if (signal.aborted) return interrupted();
      const limit = limitBefore(store.state, settings, now());
      return limit && endAtLimit(store, limit, now());
    },
    next: () => 'iteration',
    async perform() {
      const verdict = await runOnce(options);
      if (!verdict) return interrupted();
      return 'ending' in verdict ? verdict : afterIteration(options, verdict);
    },
    // There is always a next iteration.
    wait: interrupted,
  });
}

/**
 * How the run ends after an iteration; undefined if it continues. Also sets the advice for the next
 * prompt.
 */
async function afterIteration(
  options: IterateOptions,
  verdict: Verdict,
): Promise<RunResult | undefined> {
  const { store, settings, now } = options;
  if (store.state.ending === 'done') return endRun(store, now(), 'done', store.state.reason);
  const { plan } = verdict;
  if (plan && isOfBudget(plan)) {
    if (plan.rung === 'escalate' || plan.rung === 'stop')
      return endAtLimit(store, 'budget', now(), budgetReason(verdict));
    options.onNote?.(plan.toHuman);
    store.state.advice = plan.toModel;
  }
  const loop = settings.shadow
    ? undefined
    : loopFound(verdict, store.state, settings.loopThreshold);
  // A broken command is not a loop, but an agent that only reports errors may be in one.
  const isReported = loop !== undefined && store.state.tried.at(-1)?.isGuess === true;
  if (store.state.errors >= settings.maxErrors && !isReported)
    return endAtLimit(store, 'consecutive_errors', now());
  const isLast = limitBefore(store.state, settings, now()) !== undefined;
  const ended = loop && (await answerLoop(options, loop, verdict, isLast));
  // After new advice, the agent gets as many failed iterations again.
  if (!ended && isReported) store.state.errors = 0;
  return ended;
}

const budgetReason = ({ budget }: Verdict): string =>
  `${sentence(spentText(budget?.figures ?? {}) ?? 'the budget is spent')}.`;

/** Resumes a run that an earlier process left. */
async function resumeRun({ store, now }: IterateOptions): Promise<void> {
  const { state } = store;
  if (state.isBegun) cutOff(state);
  const wasStopped = state.ending !== null;
  Object.assign(state, { runner: thisRunner(), errors: 0, ending: null, reason: '' });
  // The user who resumes the run has seen how it ended.
  if (wasStopped) await countAnew(store, now());
  else await store.save();
}

/**
 * One iteration, from its prompt to the guard's verdict. Returns undefined if it was interrupted,
 * or the result if the run has to end.
 */
async function runOnce(options: IterateOptions): Promise<Verdict | RunResult | undefined> {
  const { store, settings, signal, now, workspace, cwd } = options;
  const { state } = store;
  const at = now();
  state.iteration++;
  state.isBegun = true;
  const iteration = state.iteration;
  const id = `${store.run}#${iteration}`;
  await store.observe({ type: 'iteration-started', session: store.run, at, id, iteration });
  options.onBegun?.(state);

  const task = options.readTask();
  const prompt = composePrompt(task, state, settings);
  const timeout = Math.min(settings.iterationTimeout, settings.maxRuntime - state.spent);
  const { promise, checks, needsPromise } = settings;
  let isOver = false;
  const one = await runIteration({
    task,
    prompt,
    promise,
    workspace,
    memory: state.work,
    cwd,
    signal,
    timeout,
    async runAgent() {
      const turn = await options.runAgent(prompt, { signal, timeout });
      isOver = turn.neverStarted || turn.wasStopped || turn.limit !== undefined;
      return turn;
    },
    checks: (promised) => (!isOver && (promised || !needsPromise) ? checks : []),
  });
  const { run: turn, isChecked, failedCheck, failed, problem, work } = one;
  const duration = now() - at - (turn.waited ?? 0);
  if (turn.neverStarted || turn.limit !== undefined) {
    state.iteration--;
    state.isBegun = false;
    if (turn.limit !== undefined) return endAtLimit(store, 'provider_limit', now(), turn.limit);
    await endRun(store, now(), 'interrupted', turn.problem ?? '');
    throw cannotStart(turn.problem);
  }
  if (turn.wasStopped) {
    state.spent += duration;
    cutOff(state);
    return undefined;
  }
  const isDone = isChecked ? failedCheck === undefined : checks.length === 0 && one.isPromised;
  const { exitCode, cost, output } = turn;
  return store.observe(
    {
      type: 'output-finished',
      session: store.run,
      at: now(),
      id,
      iteration,
      output,
      failed,
      ...(exitCode === null ? {} : { exitCode }),
      ...present({ moved: work.moved }),
      ...(Object.keys(cost).length > 0 ? { cost } : {}),
    },
    (verdict) => {
      const inner = innerOf(verdict);
      const what = labelIteration({ output, failed, problem }, failedCheck);
      const tried: TriedIteration = {
        iteration,
        what,
        ...(work.text ? { work: work.text } : {}),
        ...(work.moved ? { moved: true } : {}),
        ...(one.isGuess ? { isGuess: true } : {}),
      };
      push(state.tried, { ...tried, ...(inner ? { inner } : {}) }, MAX_TRIED);
      Object.assign(state, {
        isBegun: false,
        advice: null,
        failedCheck:
          (!signal.aborted && failedCheck && { ...failedCheck, ...claimedIn(one, output) }) || null,
      });
      state.spent += duration;
      state.cost.tokens += cost.tokens ?? 0;
      state.cost.usd += cost.usd ?? 0;
      state.errors = failed ? state.errors + 1 : 0;
      state.signals += verdict.signals.length;
      state.conversation = (settings.keepsConversation && turn.conversation) || null;
      if (isDone)
        Object.assign(state, {
          ending: 'done',
          reason: isChecked ? 'The checks passed.' : UNCHECKED,
        });
      options.onEnded?.(state);
      return [runEntry(store, 'iteration_output', verdict.seen?.output?.text ?? '', now())];
    },
  );
}

const UNCHECKED =
  'The agent reported that it is done; nothing checked it. To have it checked, add --check <command>.';

function cutOff(state: RunState): void {
  state.isBegun = false;
  push(
    state.tried,
    { iteration: state.iteration, what: 'it was cut off', wasCutOff: true },
    MAX_TRIED,
  );
}

/** The settings that the prompt mentions. */
interface PromptSettings {
  maxIterations: number;
  promise: string;
  /** The promise is required. */
  needsPromise: boolean;
  checks: readonly string[];
}

/** The prompt of the next iteration: the task, when it counts as done, and what was tried. */
function composePrompt(task: string, state: RunState, settings: PromptSettings): string {
  const parts = [task.trimEnd(), '---', aboutTheEnd(state, settings)];
  if (state.tried.length > 0)
    parts.push(`Results of earlier iterations:\n\n${state.tried.map(line).join('\n')}`);
  const { failedCheck, advice } = state;
  if (failedCheck)
    parts.push(
      `${failedCheck.claimed ? `${isNotDone(failedCheck)} It` : `The check \`${failedCheck.command}\` failed after the last iteration. It`} printed:\n\n${indented(failedCheck.tail || '(nothing)')}`,
    );
  if (advice !== null) parts.push(advice);
  return `${parts.join('\n\n')}\n`;
}

function aboutTheEnd(
  { iteration, conversation }: RunState,
  { maxIterations, promise, needsPromise, checks }: PromptSettings,
): string {
  const memory = conversation
    ? '; the earlier iterations are above'
    : '; you have no memory of earlier iterations except the notes below';
  const sentences = [
    `This is iteration ${iteration} of at most ${maxIterations}${iteration === 1 ? '' : memory}.`,
    'Nobody can answer questions.',
  ];
  if (checks.length > 0)
    sentences.push(
      `The task is done when these commands succeed: ${checks.map((check) => `\`${check}\``).join(', ')}.`,
    );
  if (needsPromise)
    sentences.push(
      `Write ${promise} as the last line of your answer when the task is done and you have checked it, and not before.`,
    );
  return sentences.join(' ');
}

/** Marks that the agent claimed in its last message to be done. */
const claimedIn = ({ isPromised }: { isPromised: boolean }, output: string): { claimed?: true } =>
  isPromised || claimsDone(output) ? { claimed: true } : {};

const line = ({ iteration, what, work, inner }: TriedIteration): string =>
  `- Iteration ${iteration}: ${what}${work ? ` [${work}]` : ''}${inner ? ` (it repeated itself: ${inner.text})` : ''}`;

const indented = (text: string): string => text.replace(/^/gm, '    ');

const MAX_LENGTH = 160;

/**
 * One line about an iteration: the first line of the output that contains words, or the line with
 * the error of a log, plus what went wrong. Redacted.
 */
export function labelIteration(
  { output, problem, failed }: { output: string; problem?: string | undefined; failed: boolean },
  failedCheck: Pick<FailedCheck, 'command'> | undefined,
): string {
  const lines = plainOutput(output).split('\n');
  const isError = extractSignature(output).startsWith('error:');
  const said =
    (isError ? lines.find((line) => /\b(?:ERROR|FATAL)\b/.test(line)) : undefined) ??
    lines.find((line) => /\p{L}{2}/u.test(line)) ??
    lines.find((line) => line.trim() !== '');
  const troubles = [problem, failedCheck && `the check \`${failedCheck.command}\` failed`].filter(
    (each) => each !== undefined,
  );
  const words = printable(redact(said ?? '')).trim();
  const isSaidAlready = failed && problem?.includes(words.slice(0, 40));
  const heard = words || 'it said nothing';
  const label =
    troubles.length === 0
      ? heard
      : isSaidAlready
        ? troubles.join('; ')
        : `${heard} (${troubles.join('; ')})`;
  return cut(label.trim(), MAX_LENGTH);
}
