import { type ChildProcess, spawn } from 'node:child_process';

export interface CommandOptions {
  cwd: string;
  signal?: AbortSignal | undefined;
  /** Then it is ended, and has failed. Default: ten minutes. */
  milliseconds?: number;
}

export interface CommandRun {
  /** Null when it was ended, or could not be started. */
  exitCode: number | null;
  /** The end of what it printed on both streams. */
  output: string;
}

const TEN_MINUTES = 600_000;
const MOST_OUTPUT = 65_536;

/** Runs a shell command with nothing to read. It and all that it started are ended on time or when aborted. Never rejects. */
export function runCommand(command: string, { cwd, signal, milliseconds = TEN_MINUTES }: CommandOptions): Promise<CommandRun> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve({ exitCode: null, output: '' });
    // A group of its own, so that all that it starts can be ended with it.
    const child = spawn(command, { shell: true, cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: process.platform !== 'win32' });
    let output = '';
    const add = (chunk: string): void => {
      output = (output + chunk).slice(-MOST_OUTPUT);
    };
    const stop = (): void => endGroup(child);
    const timer = setTimeout(stop, milliseconds);
    const end = (exitCode: number | null): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      resolve({ exitCode, output });
    };
    signal?.addEventListener('abort', stop, { once: true });
    child.stdout.setEncoding('utf8').on('data', add);
    child.stderr.setEncoding('utf8').on('data', add);
    child.on('error', (error) => {
      add(error.message);
      end(null);
    });
    child.on('close', end);
  });
}

function endGroup(child: ChildProcess): void {
  try {
    if (process.platform === 'win32') child.kill();
    else process.kill(-child.pid!, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
