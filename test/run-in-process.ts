import { format } from 'node:util';
import { vi } from 'vitest';
import { runCommand } from '../packages/cli/src/commands.ts';

const PROGRAM = new URL('../packages/cli/src/main.ts', import.meta.url);

export interface Ran {
  status: number;
  stdout: string;
  /** Line by line. */
  stderr: string[];
}

/** What `unrut` does with a command line, without a process of its own. */
export async function runInProcess(...args: string[]): Promise<Ran> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const spies = [
    vi
      .spyOn(console, 'log')
      .mockImplementation((...texts) => void stdout.push(`${format(...texts)}\n`)),
    vi
      .spyOn(console, 'error')
      .mockImplementation((...texts) => void stderr.push(`${format(...texts)}\n`)),
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => stdout.push(String(text)) > 0),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => stderr.push(String(text)) > 0),
  ];
  try {
    const status = await runCommand(args, PROGRAM);
    return {
      status,
      stdout: stdout.join(''),
      stderr: stderr.join('').trim().split('\n').filter(Boolean),
    };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
