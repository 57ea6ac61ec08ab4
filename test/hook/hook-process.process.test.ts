import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import type { Payload } from '../hosts/hook-process.ts';
import { LOOPING } from '../hosts/looping-host.ts';
import { SECRETS } from '../planted-secrets.ts';
import {
  HOOK,
  hostsIn,
  inLedger,
  newFolder,
  programOf,
  runHook,
  SILENT,
  UNSIGNED,
} from './hook-command.ts';

const claude = LOOPING['claude-code'];
/** Node's compile cache of the program. */
function cacheIn(home: string): string {
  const folder = join(home, 'hook-cache');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
    join(folder, name),
  );
  return files.find((file) => statSync(file).isFile())!;
}

/** Repeats a failing command in Claude Code; returns the output of each hook. */
async function loop(
  home: string,
  tries: number,
  environment: Record<string, string> = {},
  args: string[] = [],
): Promise<string[]> {
  const printed: string[] = [];
  for (let n = 1; n <= tries; n++) {
    for (const payload of [claude.before(n), ...claude.after(n)]) {
      const { stdout, ...rest } = await runHook(home, payload, environment, args);
      expect(rest).toEqual({ stderr: '', code: 0, signal: null });
      printed.push(stdout);
    }
  }
  return printed.filter((text) => text !== '');
}

test('the program understands every host that calls hooks, and holds nothing that installs them', async () => {
  const home = newFolder();
  for (const { before } of Object.values(LOOPING)) await runHook(home, before(1));
  expect(await inLedger(home, (ledger) => ledger.entries({ kind: 'fault' }))).toEqual([]);
  const ofInstalling = 'disableAllHooks';
  expect(
    readFileSync(
      join(import.meta.dirname, '../../packages/agents/src/hosts/claude-code/install.ts'),
      'utf8',
    ),
  ).toContain(ofInstalling);
  expect(readFileSync(programOf(HOOK), 'utf8').includes(ofInstalling)).toBe(false);
});

describe('a hook process', () => {
  test.each(['claude-code', 'factory'])(
    'whose command says that it is for %s believes it if the payload does not say',
    async (agent) => {
      const home = newFolder();
      await runHook(home, UNSIGNED, {}, ['--shadow', agent]);
      await runHook(home, claude.before(1), {}, [agent]);
      expect(await inLedger(home, hostsIn)).toEqual([agent, 'claude-code']);
    },
  );

  test('tells the agent at the third try, and refuses the fifth', async () => {
    const home = newFolder();
    const [note, hint, ...none] = await loop(home, 4);
    expect([note, hint].map((text) => Object.keys(JSON.parse(text!)))).toEqual(
      Array(2).fill(['hookSpecificOutput', 'systemMessage']),
    );
    expect(none).toEqual([]);
    expect(
      claude.refuses!(JSON.parse((await runHook(home, claude.before(5))).stdout) as Payload),
    ).toBe(true);
  });

  test.each<[how: string, environment: Record<string, string>, args: string[]]>([
    ['an argument', {}, ['--shadow']],
    ['the environment', { UNRUT_SHADOW: '1' }, []],
  ])('only records when %s says so', async (_, environment, args) => {
    const home = newFolder();
    expect(await loop(home, 4, environment, args)).toEqual([]);
    expect(await inLedger(home, (ledger) => ledger.entries({ kind: 'plan' }))).toHaveLength(2);
  });

  test('does what the config says', async () => {
    const home = newFolder();
    writeFileSync(join(home, 'unrut.config.json'), '{ "skip": ["note"] } // the hint first');
    await loop(home, 3);
    expect(
      (await inLedger(home, (ledger) => ledger.entries({ kind: 'plan' }))).map(
        ({ data }) => data.rung,
      ),
    ).toEqual(['hint']);
  });

  test('continues with a broken config, which it reports once', async () => {
    const home = newFolder();
    writeFileSync(join(home, 'unrut.config.json'), '{ "preset": ');
    expect(await loop(home, 3)).toEqual([]);
    const faults = await inLedger(home, (ledger) => ledger.entries({ kind: 'fault' }));
    expect(faults.map(({ data }) => data.where)).toEqual(['config']);
  });

  test('tells the person by the command of the config', async () => {
    const home = newFolder();
    const told = join(home, 'told.txt');
    writeFileSync(
      join(home, 'unrut.config.json'),
      JSON.stringify({
        notify: { command: ['sh', '-c', `cat > ${told}.new && mv ${told}.new ${told}`] },
      }),
    );
    await loop(home, 4);
    await runHook(home, claude.before(5));
    for (const payload of [...claude.afterRefusal!(5), claude.before(6), ...claude.after(6)])
      await runHook(home, payload);
    await expect
      .poll(() => statSync(told, { throwIfNoEntry: false })?.size ?? 0, { timeout: 20_000 })
      .toBeGreaterThan(0);
    expect(JSON.parse(readFileSync(told, 'utf8'))).toMatchObject({
      host: 'claude-code',
      session: 's',
      rung: 'escalate',
    });
  });

  test.each([
    ['nothing', ''],
    ['text', 'not JSON'],
    ['half a payload', '{"hook_event_name":'],
    ['an unknown agent', '{"hello":"there"}'],
    ['20 MB of text', 'x'.repeat(20 << 20)],
  ])('says nothing when it is handed %s', async (_, input) => {
    expect(await runHook(newFolder(), input)).toEqual(SILENT);
  });

  test('ends by itself when its input never does', async () => {
    expect(await runHook(newFolder(), null)).toEqual(SILENT);
  });

  test('says nothing when there can be no ledger', async () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    expect(await runHook(newFolder(), claude.before(1), { UNRUT_HOME: file })).toEqual(SILENT);
  });

  test('says nothing when somebody else never stops writing to the ledger, and the next one records it', async () => {
    const home = newFolder();
    await runHook(home, claude.before(1));
    const other = new DatabaseSync(join(home, 'ledger.db'));
    other.exec('BEGIN IMMEDIATE');
    expect(await runHook(home, claude.before(2))).toEqual(SILENT);
    other.exec('ROLLBACK');
    other.close();
    await runHook(home, claude.before(3));
    const [events, faults] = await inLedger(home, async (ledger) => [
      await ledger.entries({ kind: 'event' }),
      await ledger.entries({ kind: 'fault' }),
    ]);
    expect([events.length, faults.length]).toEqual([3, 0]);
    expect(existsSync(join(home, 'ledger.db-missed'))).toBe(false);
  });

  test('works the same when what it keeps to start faster is damaged, and makes it again', async () => {
    const home = newFolder();
    const other = { ...claude.before(1), session_id: 'other' };
    await runHook(home, other);
    const cache = cacheIn(home);
    const good = readFileSync(cache);
    for (const bad of [
      Buffer.alloc(0),
      Buffer.alloc(good.length),
      good.subarray(0, good.length / 2),
      Buffer.from('no cache'),
    ]) {
      writeFileSync(cache, bad);
      expect(await runHook(home, other)).toEqual(SILENT);
      expect(readFileSync(cacheIn(home)).length).toBeGreaterThan(good.length / 2);
    }
    expect(await loop(home, 3)).toHaveLength(1);
  });

  test('leaves files that only their owner can read', async () => {
    const home = newFolder();
    await runHook(home, claude.before(1));
    const modes = readdirSync(home).map(
      (name) => [name, statSync(join(home, name)).mode & 0o777] as const,
    );
    expect(modes.length).toBeGreaterThan(2);
    for (const [name, mode] of modes)
      expect([name, mode]).toEqual([name, name === 'hook-cache' ? 0o700 : 0o600]);
  });
});

describe('16 hook processes at once', () => {
  const before = (session: string, n: number): Payload => ({
    ...claude.before(n),
    session_id: session,
  });
  test.each<[string, (n: number) => string]>([
    ['one session', () => 's'],
    ['eight sessions', (n) => `s${n % 8}`],
  ])('lose no event of %s', async (_, sessionOf) => {
    const home = newFolder();
    // A hook does not wait for long: as many as a slow machine can start at once.
    const numbers = Array.from({ length: 16 }, (_, n) => n);
    const ended = await Promise.all(numbers.map((n) => runHook(home, before(sessionOf(n), n))));
    expect(ended).toEqual(numbers.map(() => SILENT));
    const sessions = [...new Set(numbers.map(sessionOf))];
    for (const session of sessions) {
      const events = await inLedger(home, (ledger) => ledger.entries({ session, kind: 'event' }));
      expect(events).toHaveLength(numbers.length / sessions.length);
      const state = await inLedger(home, (ledger) => ledger.loadState(session));
      const [[, thread]] = (state as unknown as { memory: [[string, { open: unknown[] }]] }).memory;
      expect(thread.open).toHaveLength(numbers.length / sessions.length);
    }
    expect(await inLedger(home, (ledger) => ledger.entries({ kind: 'fault' }))).toEqual([]);
  });
});

describe('a secret', () => {
  test('in arguments, results or prompts is in no byte of what hooks leave', async () => {
    const home = newFolder();
    const secrets = Object.values(SECRETS);
    const base = {
      session_id: 's',
      transcript_path: '/home/dev/.claude/t.jsonl',
      cwd: '/home/dev/project',
    };
    const planted = secrets.join(' ');
    for (let n = 1; n <= 5; n++) {
      const call = {
        tool_name: 'Bash',
        tool_input: { command: `curl -H 'Authorization: Bearer ${secrets[1]}' x; echo ${planted}` },
        tool_use_id: `t${n}`,
      };
      const payloads = [
        {
          ...base,
          hook_event_name: 'UserPromptSubmit',
          prompt: `use ${planted}`,
          source: 'loop_wakeup',
        },
        ...(n === 1
          ? [{ ...base, hook_event_name: 'UserPromptSubmit', prompt: `use ${planted}` }]
          : []),
        { ...base, hook_event_name: 'PreToolUse', ...call },
        {
          ...base,
          hook_event_name: 'PostToolUseFailure',
          ...call,
          error: `Exit code 1\npassword: ${planted}`,
        },
        { ...base, hook_event_name: 'Stop', last_assistant_message: `I used ${planted}` },
      ];
      for (const payload of payloads) {
        const { stdout } = await runHook(home, payload);
        for (const secret of secrets) expect(stdout).not.toContain(secret);
      }
    }
    const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) =>
      statSync(join(home, name)).isFile(),
    );
    expect(files).toContain('ledger.db');
    for (const name of files)
      for (const secret of secrets)
        expect(readFileSync(join(home, name), 'latin1')).not.toContain(secret);
    expect(await inLedger(home, (ledger) => ledger.entries({ kind: 'plan' }))).not.toEqual([]);
  });
});
