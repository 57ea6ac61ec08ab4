import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { root } from '../../scripts/build.ts';
import { eventsIn } from '../install/fresh-machine.ts';
import { newFolder } from '../ledger-files.ts';

const PAYLOAD = JSON.stringify({
  hook_event_name: 'PreToolUse',
  session_id: 's',
  transcript_path: '/home/.claude/s.jsonl',
  cwd: '/',
  tool_name: 'Read',
  tool_input: { file_path: '/' },
  tool_use_id: 't',
});

/** Runs a copy of the hook that consists of these files. Returns where it recorded. */
function callHook(files: readonly string[], environment: Record<string, string> = {}): string {
  const [copy, home] = [newFolder(), newFolder()];
  for (const file of files) cpSync(join(inject('programs'), file), join(copy, file));
  const { status } = spawnSync(process.execPath, [join(copy, 'hook.cjs')], {
    input: PAYLOAD,
    cwd: root,
    env: { PATH: process.env.PATH, UNRUT_HOME: home, UNRUT_COMPANION: 'false', ...environment },
  });
  expect(status).toBe(0);
  return home;
}

const WITHOUT_DRIVER = ['hook.cjs', 'hook-program.cjs'];
const NOBODY = { UNRUT_LEDGER: 'postgres://u@127.0.0.1:1/x' };
const missedIn = (home: string): string => readFileSync(join(home, 'ledger.db-missed'), 'utf8');

it('a hook that records to a file needs no driver of Postgres', async () => {
  expect(await eventsIn(callHook(WITHOUT_DRIVER))).toHaveLength(1);
});

it('a hook whose ledger has a Postgres address loads the driver next to it', () => {
  const home = callHook([...WITHOUT_DRIVER, 'hook-postgres.cjs'], NOBODY);
  expect(missedIn(home)).toContain('[postgres] Cannot use 127.0.0.1:1/x: connect ECONNREFUSED');
  expect(readdirSync(home)).not.toContain('ledger.db');
});

it('a hook whose driver is missing says so next to the ledger, and lets the agent go on', () => {
  expect(missedIn(callHook(WITHOUT_DRIVER, NOBODY))).toContain('hook-postgres.cjs');
});

it('the program of the hook holds no Postgres and stays under 620 KB', () => {
  const program = join(inject('programs'), 'hook-program.cjs');
  const driver = readFileSync(join(inject('programs'), 'hook-postgres.cjs'), 'utf8');
  expect(driver).toContain('target_session_attrs');
  expect(readFileSync(program, 'utf8')).not.toContain('target_session_attrs');
  expect(statSync(program).size).toBeLessThan(620_000);
});
