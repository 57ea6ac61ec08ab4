import { type ProcessEnd, type ProcessOptions, runProcess } from './run-process.ts';

/** Runs a command by the shell, with nothing to read. It and all that it started are ended on time or when aborted. Never rejects. */
export function runShell(command: string, options: Pick<ProcessOptions, 'cwd' | 'signal' | 'timeout'>): Promise<ProcessEnd> {
  const [file, ...args] =
    process.platform === 'win32' ? (['cmd.exe', '/d', '/s', '/c', command] as const) : (['/bin/sh', '-c', command] as const);
  return runProcess({ ...options, file, args });
}
