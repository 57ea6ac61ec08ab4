import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Ledger } from '@unrut/ledger/ledger';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { afterAll } from 'vitest';
import { bundledPrograms } from '../bundled-programs.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder that is gone after the tests of the file. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'unrut-hook-'));
  folders.push(folder);
  return folder;
}

/** The hook as agents start it, and the program that lies next to it. */
export const programOf = (hook: string): string => join(dirname(hook), 'hook-program.cjs');
export const HOOK: string = bundledPrograms().hook;

export interface Ended {
  stdout: string;
  stderr: string;
  code: number | null;
  signal: string | null;
}

/** Variables of the environment that would change what a hook does. */
const { CI: _, CLAUDE_CODE_ENTRYPOINT: __, ...ENVIRONMENT } = process.env;

/** The hooks that run now, by their process numbers. */
export const running = new Set<number>();

/** Starts a hook process and sends it a payload; `null` leaves its standard input open. */
export async function runHook(
  home: string,
  input: unknown,
  environment: Record<string, string> = {},
  args: string[] = [],
  hook: string = HOOK,
  cwd: string = home,
): Promise<Ended> {
  const child = spawn(process.execPath, [hook, ...args], {
    env: { ...ENVIRONMENT, UNRUT_HOME: home, ...environment },
    cwd,
    stdio: [input === null ? 'pipe' : fileOf(input), 'pipe', 'pipe'],
  });
  running.add(child.pid!);
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'close') as Promise<[number | null, string | null]>,
  ]);
  running.delete(child.pid!);
  return { stdout, stderr, code, signal };
}

/** An open file with the payload, which is there before the process is. */
function fileOf(input: unknown): number {
  const path = join(newFolder(), 'payload.json');
  writeFileSync(path, typeof input === 'string' ? input : JSON.stringify(input));
  return openSync(path, 'r');
}

/** A payload that does not tell which agent it comes from. */
export const UNSIGNED = { hook_event_name: 'UserPromptSubmit', session_id: 'u', prompt: 'Go on.' };

/** The hosts of the sessions in a ledger. */
export const hostsIn = async (ledger: Ledger): Promise<unknown[]> =>
  (await ledger.entries({ kind: 'event' })).map(({ data }) => data.host);

/** The result of a hook process without an answer. */
export const SILENT: Ended = { stdout: '', stderr: '', code: 0, signal: null };

/** Looks into the ledger of a home. */
export async function inLedger<T>(home: string, look: (ledger: Ledger) => Promise<T>): Promise<T> {
  const ledger = createSqliteLedger({ path: join(home, 'ledger.db') });
  try {
    return await look(ledger);
  } finally {
    await ledger.close();
  }
}
