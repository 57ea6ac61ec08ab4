import { basename } from 'node:path';
import { runnableHosts } from '@unrut/agents/hosts';
import { UnrutError } from '@unrut/engine/errors';
import { present } from '@unrut/engine/json';
import { MARKS } from '@unrut/ledger/processes/marks';
import { runProcess } from '@unrut/ledger/processes/run-process';
import { counted } from '@unrut/ledger/report/figures';
import spawn from 'cross-spawn';
import { type AgentRun, problemText } from '../agent.ts';
import { questionIn } from '../last-words.ts';
import { AgentReport } from './agent-report.ts';

/** The context of one run of an agent's command. */
export interface CommandContext {
  /** The run it belongs to. Hooks inside the agent report to this run. */
  run: string;
  cwd: string;
  signal: AbortSignal;
  /** Milliseconds after which it is ended. */
  timeout?: number;
  /** Milliseconds without new output after which it is ended. */
  stall?: number | undefined;
  /** The conversation to resume, if the agent supports that. */
  conversation?: string | null;
  /** Receives the output that the user should see. */
  show?: (text: string, from: 'stdout' | 'stderr') => void | Promise<void>;
}

/** The result of one run of an agent's command. */
export interface AgentTurn extends AgentRun {
  signal: string | null;
  failed: boolean;
  /** It was ended because the whole run was stopped. */
  wasStopped: boolean;
  /** It never ran: the command does not exist or cannot take the prompt. */
  neverStarted: boolean;
  cost: { tokens?: number; usd?: number };
  /** The conversation that can be resumed. */
  conversation?: string;
}

/** Runs an agent's command once on a prompt. Never rejects. */
export async function runAgentCommand(
  command: readonly [string, ...string[]],
  prompt: string,
  context: CommandContext,
): Promise<AgentTurn> {
  const { run, cwd, signal, timeout, stall, show, conversation } = context;
  const report = new AgentReport();
  const { output, ...end } = await runProcess({
    ...startOf(command, prompt, conversation),
    cwd,
    signal,
    spawn,
    ...present({ timeout, stall }),
    environment: { [MARKS.run]: run },
    onText: (text, from) => show?.(from === 'stdout' ? report.add(text) : text, from),
  });
  await show?.(report.end(output), 'stdout');
  const answer = report.answer ?? output;
  const problem = problemOf(end, report.failed, answer, { timeout, stall });
  return {
    output: answer || output,
    exitCode: end.exitCode,
    signal: end.signal,
    failed: problem !== undefined,
    ...words(problem ?? askedFor(answer)),
    wasStopped: end.by === 'abort',
    neverStarted: end.by === 'never-started',
    cost: report.cost,
    ...present({ conversation: report.conversation }),
  };
}

/** The reason for an agent whose command cannot be started. Retrying would not help. */
export const cannotStart = (problem = 'it could not be started'): UnrutError =>
  new UnrutError('usage', `Cannot run the agent: ${problem}.`);

/** A shell's messages for a program that a signal ended. */
const KILLED: Readonly<Record<number, string>> = {
  137: ': it was killed, perhaps because memory ran out',
  143: ': it was told to end',
};

type End = Omit<Awaited<ReturnType<typeof runProcess>>, 'output'>;

function problemOf(
  end: End,
  reported: string | undefined,
  answer: string,
  { timeout, stall }: Pick<CommandContext, 'timeout' | 'stall'>,
): string | undefined {
  const asked = askedFor(answer);
  if (end.by === 'never-started') return end.problem;
  if (end.by === 'timeout')
    return `it timed out after ${counted(Math.round((timeout ?? 0) / 1000), 'second')}${asked ? `; ${asked}` : ''}`;
  if (end.by === 'stall')
    return `it stalled: nothing new was printed for ${counted(Math.round((stall ?? 0) / 1000), 'second')}${asked ? `; ${asked}` : ''}`;
  if (end.by === 'abort') return 'it was stopped';
  if (end.signal !== null) return `it was killed by ${end.signal}`;
  if (reported !== undefined) return `it reported: ${reported}`;
  return end.exitCode === 0
    ? undefined
    : (asked ?? `it exited with code ${end.exitCode}${KILLED[end.exitCode ?? 0] ?? ''}`);
}

const askedFor = (answer: string): string | undefined => {
  const question = questionIn(answer);
  return question === undefined
    ? undefined
    : `it asked for input, which nobody can give here: ${question}`;
};

const words = (text: string | undefined): { problem?: string } =>
  text === undefined ? {} : { problem: problemText(text) };

/** How an agent is started on a prompt. */
interface AgentStart {
  file: string;
  args: string[];
  /** Standard input; undefined if the prompt is one of the arguments. */
  input?: string;
}

/** Placeholder for the prompt in the agent's command. */
const PROMPT = '{prompt}';

/**
 * Puts the prompt in place of `{prompt}` in the command's arguments, or on standard input if no
 * argument has it. Resumes the conversation if the agent can.
 */
export function startOf(
  [file, ...args]: readonly [string, ...string[]],
  prompt: string,
  conversation?: string | null,
): AgentStart {
  if (args.some((arg) => arg.includes(PROMPT)))
    return { file, args: args.map((arg) => arg.replaceAll(PROMPT, () => prompt)) };
  const name = basename(file).replace(/\.(?:cmd|exe|ps1)$/i, '');
  const known = runnableHosts.find(({ programs }) => programs.includes(name));
  const complete = known?.command.complete(args) ?? [...args];
  return {
    file,
    args: (conversation && known?.command.resume?.(complete, conversation)) || complete,
    input: prompt,
  };
}
