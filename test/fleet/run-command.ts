import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { bundledPrograms } from '../bundled-programs.ts';
import { newFolder } from '../ledger-files.ts';

/** What a command printed, and its exit code. */
export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `unrut …` on a database, with its input. */
export async function runCommand(
  args: readonly string[],
  ledger: string,
  input = '',
  env: Record<string, string> = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [bundledPrograms().cli, ...args], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, UNRUT_HOME: newFolder(), UNRUT_LEDGER: ledger, ...env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data: Buffer) => {
    stdout += data;
  });
  child.stderr.on('data', (data: Buffer) => {
    stderr += data;
  });
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}
