import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { bundledPrograms } from '../bundled-programs.ts';

const agent = fileURLToPath(new URL('agents/bad-agent.mjs', import.meta.url));

/** The command of an agent that behaves in one known way. */
export const badAgent = (...args: string[]): [string, ...string[]] => [
  process.execPath,
  agent,
  ...args,
];

/** How a command ended. */
export interface Ended {
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
}

/** A folder with a prompt in it, and a ledger of its own. */
export interface Place {
  folder: string;
  /** Where the ledger is. */
  home: string;
  start(...args: string[]): Promise<{ pid: number; ended: Promise<Ended> }>;
  unrut(...args: string[]): Promise<Ended>;
  /** Another command of Unrut than `run`. */
  command(...args: string[]): Promise<Ended>;
}

export function makePlace(
  files: Readonly<Record<string, string>> = { 'PROMPT.md': 'Get the test to pass.\n' },
): Place {
  const folder = mkdtempSync(join(tmpdir(), 'unrut-run-'));
  const home = join(folder, 'home');
  mkdirSync(home);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const env: NodeJS.ProcessEnv = { ...process.env, HOME: home, UNRUT_HOME: home, NO_COLOR: '1' };
  delete env.UNRUT_RUN;
  const begin: Place['start'] = async (...args) => {
    const child = spawn(process.execPath, [bundledPrograms().cli, ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exit = new Promise<Pick<Ended, 'code' | 'signal'>>((resolve) =>
      child.once('exit', (code, signal) => resolve({ code, signal })),
    );
    const ended = Promise.all([exit, text(child.stdout), text(child.stderr)]).then(
      ([end, stdout, stderr]) => ({ ...end, stdout, stderr }),
    );
    return { pid: child.pid!, ended };
  };
  const start: Place['start'] = (...args) => begin('run', ...args);
  return {
    folder,
    home,
    start,
    unrut: async (...args) => (await start(...args)).ended,
    command: async (...args) => (await begin(...args)).ended,
  };
}

/** Whether a process still runs. */
export function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
