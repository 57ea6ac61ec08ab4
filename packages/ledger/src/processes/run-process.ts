import { type ChildProcess, type SpawnOptions, spawn as spawnPlainly } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { BoundedText } from './bounded-text.ts';
import { endProcesses, killGroup } from './end-processes.ts';
import { MARKS } from './marks.ts';

export interface ProcessOptions {
  file: string;
  args: readonly string[];
  cwd: string;
  /** In addition to the variables of this process. */
  environment?: Readonly<Record<string, string>>;
  /** Standard input; empty by default. */
  input?: string;
  /** Ends the process and all that it started. */
  signal?: AbortSignal;
  /** Milliseconds after which it is killed. */
  timeout?: number;
  /** Milliseconds without new output after which it is killed. Repeated lines are not new. */
  stall?: number;
  /** Starts the process. Default: Node's `spawn`, which cannot start scripts on Windows. */
  spawn?: (file: string, args: string[], options: SpawnOptions) => ChildProcess;
  /** Receives the output; the process waits until the returned promise resolves. */
  onText?: (text: string, from: 'stdout' | 'stderr') => void | Promise<void>;
}

export interface ProcessEnd {
  /** The beginning and the end of the output. */
  output: string;
  /** Null when a signal ended it. */
  exitCode: number | null;
  signal: string | null;
  /** What made it end. */
  by: 'itself' | 'timeout' | 'stall' | 'abort' | 'never-started';
  /** Why it could not be started. */
  problem?: string;
}

/** How long a process and its children may take to exit. */
const GRACE = 3000;
const GRACE_FOR_CHILDREN = 500;
/** How long to read the pipe after its last writer has exited, in milliseconds. */
const LAST_WORDS = 1000;

/**
 * Runs a program in its own process group, without a terminal, until it exits or is ended. No child
 * process survives. Never rejects.
 */
export async function runProcess(options: ProcessOptions): Promise<ProcessEnd> {
  const {
    file,
    args,
    cwd,
    environment,
    input,
    signal,
    timeout,
    stall,
    spawn = spawnPlainly,
    onText,
  } = options;
  const kept = new BoundedText();
  if (signal?.aborted) return { output: '', exitCode: null, signal: null, by: 'abort' };
  const mark = { name: MARKS.process, value: randomUUID() };
  let child: ChildProcess;
  try {
    child = spawn(file, [...args], {
      cwd,
      env: { ...process.env, ...environment, [mark.name]: mark.value },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
  } catch (error) {
    // Node throws if arguments are too long; other failures are events.
    return {
      output: '',
      exitCode: null,
      signal: null,
      by: 'never-started',
      problem: whyNot(error as NodeJS.ErrnoException, file),
    };
  }
  let by: ProcessEnd['by'] = 'itself';
  let ending: Promise<void> | undefined;
  const end = (why: ProcessEnd['by']): void => {
    if (ending || child.pid === undefined) return;
    by = why;
    ending = endProcesses(child.pid, mark, GRACE);
  };
  const onAbort = (): void => end('abort');
  signal?.addEventListener('abort', onAbort);
  // When this process exits normally, the agent is killed too.
  const onExit = (): void => killGroup(child.pid);
  process.once('exit', onExit);
  running.add(onExit);
  const timer =
    timeout === undefined ? undefined : setTimeout(end, Math.min(timeout, MAX_TIMER), 'timeout');
  const stalled =
    stall === undefined ? undefined : setTimeout(end, Math.min(stall, MAX_TIMER), 'stall');
  const isNews = newsReader();

  // A process that does not read its input closes the pipe; that is not an error.
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  const reading = Promise.all(
    (['stdout', 'stderr'] as const).map((from) =>
      readAll(child[from]!, (text) => {
        kept.add(text);
        if (stalled && isNews(text)) stalled.refresh();
        return onText?.(text, from);
      }),
    ),
  );
  const ended = await new Promise<{
    exitCode: number | null;
    signal: string | null;
    problem?: string;
  }>((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
    child.once('error', (error: NodeJS.ErrnoException) =>
      resolve({ exitCode: null, signal: null, problem: whyNot(error, file) }),
    );
  });
  clearTimeout(timer);
  clearTimeout(stalled);
  signal?.removeEventListener('abort', onAbort);
  if (child.pid !== undefined) await (ending ?? endProcesses(child.pid, mark, GRACE_FOR_CHILDREN));
  process.off('exit', onExit);
  running.delete(onExit);
  const cutShort = setTimeout(() => {
    child.stdout?.destroy();
    child.stderr?.destroy();
  }, LAST_WORDS);
  await reading;
  clearTimeout(cutShort);
  return { output: kept.text, ...ended, by: ended.problem === undefined ? by : 'never-started' };
}

/** Each function kills the processes started by one running process. */
const running = new Set<() => void>();

/** Kills all running processes immediately. */
export function killAll(): void {
  for (const kill of running) kill();
}

/** Node's timers cannot wait longer. */
const MAX_TIMER = 2 ** 31 - 1;

/** Max number of remembered lines, used to recognise repeated output. */
const MAX_LINES = 64;

/** A number, or how far something is: `40 %`, `3/12`, `3 of 12`. */
const NUMBERS = /\d+(?:\.\d+)? ?%|\d+ ?(?:\/|of) ?\d+|\d+/g;

/**
 * Returns a function that reports whether a text has a line that was not printed lately. Numbers
 * are ignored unless they show progress.
 */
function newsReader(): (text: string) => boolean {
  const known: string[] = [];
  return (text) => {
    let isNews = false;
    for (const line of text.split('\n')) {
      const shape = line.replace(NUMBERS, (number) => (/\D/.test(number) ? number : '#')).trim();
      if (shape === '' || known.includes(shape)) continue;
      isNews = true;
      known.push(shape);
      if (known.length > MAX_LINES) known.shift();
    }
    return isNews;
  };
}

async function readAll(
  stream: Readable,
  take: (text: string) => void | Promise<void>,
): Promise<void> {
  try {
    for await (const text of stream.setEncoding('utf8')) await take(text as string);
  } catch {
    // It was cut short.
  }
}

function whyNot({ code, message }: NodeJS.ErrnoException, file: string): string {
  if (code === 'ENOENT') return `command not found: ${file}`;
  if (code === 'EACCES') return `${file} may not be run`;
  return code === 'E2BIG'
    ? `the prompt is too long for an argument of ${file}; leave {prompt} out of its command, and it gets the prompt on standard input`
    : message;
}

/**
 * Runs a shell command with empty input. The command and its children are killed at the timeout or
 * on abort. Never rejects.
 */
export function runShell(
  command: string,
  options: Pick<ProcessOptions, 'cwd' | 'signal' | 'timeout'>,
): Promise<ProcessEnd> {
  const [file, ...args] =
    process.platform === 'win32'
      ? (['cmd.exe', '/d', '/s', '/c', command] as const)
      : (['/bin/sh', '-c', command] as const);
  return runProcess({ ...options, file, args });
}
