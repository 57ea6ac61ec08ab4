import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerEntry } from '@unrut/ledger/ledger';
import { readLedger } from '@unrut/ledger/views/read-ledger';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createMachine, type Machine } from './programs.ts';

/** The machine of this test file, with a home and a project that are empty for each test. */
export let machine: Machine;

beforeAll(() => {
  machine = createMachine();
});
afterAll(() => machine.remove());
beforeEach(() => {
  for (const folder of [machine.home, machine.project]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
  }
});

/** Claude Code's payload before a call. */
export const PAYLOAD = JSON.stringify({
  hook_event_name: 'PreToolUse',
  session_id: 's',
  transcript_path: '/home/dev/.claude/t.jsonl',
  cwd: '/home/dev/project',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
  tool_use_id: 't',
});

export const inHome = (...parts: string[]): string => join(machine.home, ...parts);
export const inProject = (...parts: string[]): string => join(machine.project, ...parts);

/** Settings in the form of Claude Code's. */
export interface Settings {
  hooks: Record<string, { hooks: { command: string }[] }[]>;
}

export const settingsIn = (path: string): Settings =>
  JSON.parse(readFileSync(path, 'utf8')) as Settings;

/** The command to run before a tool. */
export const commandIn = (path: string): string =>
  settingsIn(path).hooks.PreToolUse![0]!.hooks[0]!.command;

/** The events that were recorded in a folder. */
export const eventsIn = (home: string): Promise<LedgerEntry[]> =>
  readLedger(join(home, 'ledger.db'), {}, (ledger) => ledger.entries({ kind: 'event' }));
