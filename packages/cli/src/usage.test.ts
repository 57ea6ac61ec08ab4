import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInProcess } from '@unrut/test/run-in-process';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

/** A machine on which nothing was recorded or installed. */
let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'unrut-usage-'));
  vi.stubEnv('HOME', home);
  vi.stubEnv('USERPROFILE', home);
  vi.stubEnv('UNRUT_HOME', join(home, 'unrut'));
  vi.stubEnv('UNRUT_TOKEN', undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

/** Stands for the path of a prompt that exists. */
const PROMPT = '<prompt>';
const withFiles = (args: readonly string[]): string[] =>
  args.map((arg) => {
    if (arg !== PROMPT) return arg;
    writeFileSync(join(home, 'PROMPT.md'), 'Do it.');
    return join(home, 'PROMPT.md');
  });

test.each<[string, string]>([
  ['nonsense', 'Unknown command `nonsense`. Run `unrut --help` for the list.'],
  ['show --exit-zero a b', 'one file, got 2'],
  ['show --nonsense a', '--nonsense'],
  ['show --preset bold ./a', 'recommended, strict, observe; got bold'],
  ['gateway now', 'gateway takes no arguments; got now.'],
  ['gateway --port 70000', '--port takes a whole number up to 65535; got 70000.'],
  ['gateway --host 0.0.0.0', 'needs a token or a key: set UNRUT_TOKEN'],
  [
    'gateway --upstream here',
    '--upstream takes a name and an address such as local=http://127.0.0.1:11434; got here.',
  ],
  ['serve --upstream v1=http://127.0.0.1', '--upstream takes a name and an address'],
  ['acp', 'acp takes the command of an agent. See unrut acp --help.'],
  ['scn', 'Unknown command `scn`. Did you mean scan?'],
  ['scan --jsn', 'Unknown option --jsn. Did you mean --json? See unrut scan --help.'],
  ['scan --top -1', '--top'],
  ['scan --fail-on panic', '--fail-on takes note, hint, block, escalate, stop; got panic.'],
  ['scan --max-wasted much', '--max-wasted takes a share such as 5% or 0.05; got much.'],
  ['scan --max-loops few', '--max-loops takes a whole number, 0 or more; got few.'],
  ['scan --compare a', '--compare takes two paths, before and after; got 1.'],
  ['scan --json --md - x', '--json and --md cannot both go to standard output.'],
  ['completion', 'completion takes bash, zsh, fish; got nothing.'],
  ['completion tcsh', 'completion takes bash, zsh, fish; got tcsh.'],
  [
    'scan --since yesterday',
    '--since takes 30m, 24h, 7d, 2w or a date such as 2026-11-01; got yesterday.',
  ],
  ['scan --since 7', '; got 7.'],
  ['scan --since 2026-13-01', '; got 2026-13-01.'],
  ['scan --since 2026-02-31', '; got 2026-02-31.'],
  ['scan --detector loops', '; got loops.'],
  ['scan --min-strength 2', '--min-strength takes a number from 0 to 1; got 2.'],
  ['scan --format xml', 'There is no format xml. Formats: unrut-events, '],
  ['scan --json --jsonl', '--json and --jsonl cannot be combined.'],
  ['scan --nonsense', '--nonsense'],
  ['explain', 'explain takes one file, or --run for a run in the ledger; got 0 files.'],
  [
    'explain examples/stuck-on-a-test.jsonl --step 99',
    '--step takes a step of the run, 0 to 17; got 99.',
  ],
  ['config --nonsense', '--nonsense'],
  ['config extra', 'extra'],
  ['show --list x', 'show --list takes no arguments; got x. See unrut show --list --help.'],
  ['why', 'In a terminal, `unrut show` tells it.'],
  ['status', '`unrut doctor` whether all is connected.'],
  ['on --session a --everywhere', '--session and --everywhere cannot be combined.'],
  ['off --session a --everywhere', '--session and --everywhere cannot be combined.'],
  ['show a b', 'show takes one session, got 2'],
  ['show --list --log', '--list and --log cannot be combined.'],
  ['show --kind plan', 'Unknown option --kind.'],
  ['show --log --kind thing', '--kind takes event, signal, plan, outcome, fault; got thing'],
  ['show --log --last 0', '--last takes a whole number, 1 or more; got 0'],
  ['stats --since yesterday', '--since takes 30m'],
  ['ledger forget', 'ledger forget takes either session names or --all'],
  ['ledger forget --all x', 'ledger forget takes either session names or --all'],
  ['watch x', 'watch takes no arguments; got x. See unrut watch --help.'],
  ['serve x', 'serve takes no arguments; got x'],
  ['serve --host 0.0.0.0', 'needs a token or a key: set UNRUT_TOKEN, or run unrut key add'],
  ['serve --host 0.0.0.0 --token short', 'at least 16 characters'],
  ['serve --port 70000', '--port takes a whole number up to 65535'],
  ['serve --port x', '--port takes a whole number, 0 or more; got x'],
  ['ledger export now', 'ledger export takes no arguments; got now.'],
  ['ledger export --org none', '--org takes a whole number, 1 or more; got none.'],
  ['ledger export --ledger /nowhere/ledger.db', 'There is no ledger in /nowhere/ledger.db.'],
  ['ledger import', 'ledger import takes one file, got 0.'],
  ['ledger import /nowhere/ledger.db', 'There is no ledger in /nowhere/ledger.db.'],
  ['ledger', 'ledger takes forget, export, import, migrate, upkeep; got nothing.'],
  ['ledger clean', 'ledger takes forget, export, import, migrate, upkeep; got clean.'],
  ['false-alarm --output x', '--output goes with --report.'],
  ['serve --tls-cert a.pem', '--tls-cert and --tls-key go together; got only one of them.'],
  ['serve --drain soon', '--drain takes a whole number, 0 or more; got soon.'],
  [
    'serve --public-url https://unrut.example',
    'needs a token or a key: set UNRUT_TOKEN, or run unrut key add',
  ],
  ['serve --log xml', '--log takes plain or json; got xml.'],
  ['key', 'key takes add [name], list or revoke <id>; got nothing.'],
  ['key revoke', 'key takes add [name], list or revoke <id>; got revoke.'],
  ['key add --scope write', '--scope takes ingest, read, admin; got write.'],
  ['key add --expires 2020-01-01', '--expires takes 30d, 12h or a date to come; got 2020-01-01.'],
  [
    'serve --public-url unrut.example --token sixteen-characters',
    '--public-url takes an address such as',
  ],
  [
    'serve --cua-hosts https://example.com',
    '--cua-hosts takes hosts such as example.com,localhost:3000; got https://example.com',
  ],
  ['serve --cua-hosts ,', '--cua-hosts takes at least one host'],
  ['serve --rate 0', '--rate takes a whole number, 1 or more; got 0'],
  [
    'serve --cua-hosts example.com --cua-runs x',
    '--cua-runs takes a whole number, 1 or more; got x',
  ],
  ['cua', 'Expected: unrut cua run <task.yaml>.'],
  ['cua run x.yaml --off gates', '--off takes done-gate'],
  ['install clod', 'Unknown agent `clod`'],
  ['install vscode', 'runs other agents: connect the one you use there'],
  ['install code', 'runs other agents: connect the one you use there'],
  ['install zed', 'runs other agents: connect the one you use there'],
  ['install jetbrains', 'runs other agents: connect the one you use there'],
  ['install intellij', 'runs other agents: connect the one you use there'],
  ['install windsurf', 'Windsurf cannot be connected: its hooks do not tell what a call brought.'],
  ['install codex --http', 'Codex has no HTTP hooks. Install Codex without --http.'],
  ['install copilot --http', 'https'],
  ['install kimi --project', 'Kimi has no project settings'],
  ['install codex --user --project', 'cannot be combined'],
  ['install claude-code http://127.0.0.1:1', '--http'],
  ['uninstall', 'agent names, or --all'],
  ['doctor codex', 'takes no arguments; got codex'],
  ['run', 'one file, a prompt or a roadmap; got 0'],
  [`run ${PROMPT}`, "Put the agent's command after --"],
  [`run ${PROMPT} --on-loop panic -- true`, 'continue, escalate, stop; got panic'],
  [`run ${PROMPT} --max-runtime soon -- true`, '90s, 15m, 2h or 1d; got soon'],
  [`run ${PROMPT} --max-iterations 0 -- true`, '1 or more; got 0'],
  [`run ${PROMPT} --max-cost much -- true`, 'US dollars such as 2.50; got much'],
  [`run ${PROMPT} --nonsense -- true`, '--nonsense'],
  [`run ${PROMPT} --parallel 2 -- true`, '--parallel is for a roadmap'],
  [`run ${PROMPT} --watch -- true`, '--watch is for a roadmap'],
  [`run ${PROMPT} claude`, "Put -- before the agent's command: unrut run"],
  [`run ${PROMPT} --bogus -- x`, 'Unknown option --bogus. See unrut run --help.'],
  [
    `run ${PROMPT} --max-cost -1 -- x`,
    '--max-cost takes a value; got the option -1. See unrut run --help.',
  ],
  [`run ${PROMPT} --check -- x`, '--check'],
  [`run ${PROMPT} --until soon -- x`, '--until takes a time such as 07:30'],
])('`unrut %s` exits with 64 and says in one line what is wrong', async (line, said) => {
  const { status, stdout, stderr } = await runInProcess(...withFiles(line.split(' ')));
  expect(stderr).toEqual([expect.stringContaining(said)]);
  expect({ status, stdout }).toEqual({ status: 64, stdout: '' });
  expect(readdirSync(home).filter((name) => name !== 'PROMPT.md' && name !== 'unrut')).toEqual([]);
});

describe('what cannot be read exits with 2 and is said in one line', () => {
  test.each([
    ['cua run nowhere.yaml', 'Cannot read nowhere.yaml: ENOENT'],
    ['explain --run nothing', 'There is no session nothing in the ledger.'],
    ['explain nowhere.jsonl', 'it does not exist'],
  ])('`unrut %s`', async (line, said) => {
    const { status, stdout, stderr } = await runInProcess(...line.split(' '));
    expect(stderr).toEqual([expect.stringContaining(said)]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });

  test.each(['show --list', 'show --log', 'stats'])(
    '`unrut %s` with a folder in place of the ledger',
    async (command) => {
      mkdirSync(join(home, 'unrut', 'ledger.db'), { recursive: true });
      const { status, stderr } = await runInProcess(...command.split(' '));
      expect(stderr).toEqual([
        expect.stringMatching(/^\[unrut\] \[sqlite\] Cannot use .*ledger\.db: .*\. Check that/),
      ]);
      expect(status).toBe(2);
    },
  );
});
