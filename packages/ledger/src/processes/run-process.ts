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
  /** What it reads from standard input; without it there is nothing to read. */
  input?: string;
  /** Ends the process and all that it started. */
  signal?: AbortSignal;
  /** Milliseconds after which it is ended. */
  timeout?: number;
  /**
   * Milliseconds without new output after which it is ended. A line that comes again is not new.
   */
  stall?: number;
  /** Starts it. Default: Node's own way, which on Windows knows no scripts. */
  spawn?: (file: string, args: string[], options: SpawnOptions) => ChildProcess;
  /** Is given what it prints; the process waits while a promise of it is pending. */
  onText?: (text: string, from: 'stdout' | 'stderr') => void | Promise<void>;
}

export interface ProcessEnd {
  /** The beginning and the end of what it printed. */
  output: string;
  /** Null when a signal ended it. */
  exitCode: number | null;
  signal: string | null;
  /** What made it end. */
  by: 'itself' | 'timeout' | 'stall' | 'abort' | 'never-started';
  /** Why it could not be started. */
  problem?: string;
}

/** How long a process may take to end in order, and what it has left behind. */
const GRACE = 3000;
const GRACE_FOR_CHILDREN = 500;
/** What is still in a pipe after all that could write to it has ended, in milliseconds. */
const LAST_WORDS = 1000;

/**
 * Runs a program in a process group of its own, with no terminal to ask at, until it ends or is to
 * end. Nothing that it has started is left running. Never rejects.
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
    // Arguments that are too long are thrown at once, other reasons arrive as an event.
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
  // Whatever ends this process in an orderly way ends the agent too.
  const onExit = (): void => killGroup(child.pid);
  process.once('exit', onExit);
  running.add(onExit);
  const timer =
    timeout === undefined ? undefined : setTimeout(end, Math.min(timeout, MAX_TIMER), 'timeout');
  const stalled =
    stall === undefined ? undefined : setTimeout(end, Math.min(stall, MAX_TIMER), 'stall');
  const isNews = newsReader();

  // A process that does not read its input breaks the pipe, which is its own business.
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

/** Each kills what a process that still runs has started. */
const running = new Set<() => void>();

/** Kills everything that runs, where there is no time to ask. */
export function killAll(): void {
  for (const kill of running) kill();
}

/** Node's timers cannot wait longer. */
const MAX_TIMER = 2 ** 31 - 1;

/** Lines that are remembered, to tell news from a line that is printed again and again. */
const MAX_LINES = 64;

/** A number, or how far something is: `40 %`, `3/12`, `3 of 12`. */
const NUMBERS = /\d+(?:\.\d+)? ?%|\d+ ?(?:\/|of) ?\d+|\d+/g;

/**
 * Tells whether a text has a line that was not printed lately, apart from numbers that do not say
 * how far something is.
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
 * Runs a command by the shell, with nothing to read. It and all that it started are ended on time
 * or when aborted. Never rejects.
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
