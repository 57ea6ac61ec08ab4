import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { examine, type Health } from '@unrut/agents/install/doctor/examine';
import type { LedgerEntry } from '@unrut/ledger/ledger';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { runHook, SILENT } from '../hook/hook-command.ts';
import { LOOPING } from '../hosts/looping-host.ts';
import { orderIn } from './place.ts';

const EXAMINE = new URL('../../packages/agents/src/install/doctor/examine.ts', import.meta.url)
  .href;
const HOUR = 3_600_000;

/** A home whose ledger is in a folder of its own, and not there yet. */
function place() {
  const { at } = orderIn();
  const folder = join(at.home, 'unrut');
  return { folder, at: { ...at, variables: { UNRUT_HOME: folder } } };
}

/** Runs the examination as an unprivileged user, since root can access everything. */
function examineAsAnybody(at: object): Health {
  const code = `const { examine } = await import(${JSON.stringify(EXAMINE)});
    if (process.getuid() === 0) process.setuid(65534);
    console.log(JSON.stringify(await examine(${JSON.stringify(at)})));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    encoding: 'utf8',
  });
  return JSON.parse(stdout) as Health;
}

async function record(
  folder: string,
  faults: { where: string; message: string; hoursAgo?: number }[],
): Promise<void> {
  const ledger = createSqliteLedger({ path: join(folder, 'ledger.db') });
  const entries = faults.map(({ where, message, hoursAgo = 1 }, i): LedgerEntry => {
    return {
      id: String(i),
      session: '',
      at: Date.now() - hoursAgo * HOUR,
      kind: 'fault',
      step: 0,
      data: { where, message },
    };
  });
  await ledger.append(entries);
  await ledger.close();
}

/** The text shown when a session of Claude Code starts. */
async function saidAtStart(home: string): Promise<string> {
  const { stdout } = await runHook(home, {
    hook_event_name: 'SessionStart',
    session_id: 's',
    transcript_path: '/x/.claude/t.jsonl',
    source: 'startup',
  });
  return (JSON.parse(stdout) as { systemMessage: string }).systemMessage;
}

describe('doctor, where the ledger cannot be written', () => {
  it.each([
    ['there is one', true],
    ['there is none yet', false],
  ])('says so once when its folder is read-only and %s', async (_, isThere) => {
    const { folder, at } = place();
    mkdirSync(folder);
    if (isThere) await record(folder, []);
    chmodSync(dirname(at.home), 0o755);
    chmodSync(folder, 0o555);
    const { ledger, problems } = examineAsAnybody(at);
    chmodSync(folder, 0o755);
    expect(ledger.writable).toBe(false);
    expect(problems).toEqual([
      expect.stringMatching(/^Cannot write to .*ledger\.db: .*set UNRUT_HOME to another folder\.$/),
    ]);
    expect(existsSync(join(folder, 'ledger.db'))).toBe(isThere);
  });

  it('says so once when a file is in the place of its folder, or a folder in its own', async () => {
    const one = place();
    writeFileSync(one.folder, '');
    expect((await examine(one.at)).problems).toEqual([
      expect.stringContaining('it is not in a folder'),
    ]);
    const other = place();
    mkdirSync(join(other.folder, 'ledger.db'), { recursive: true });
    const { ledger, problems } = await examine(other.at);
    expect(ledger.writable).toBe(false);
    expect(problems).toEqual([expect.stringMatching(/Cannot use .*[^.]\.$/)]);
  });

  it('finds nothing wrong, and makes nothing, where it can be made', async () => {
    const { folder, at } = place();
    const { ledger, problems } = await examine(at);
    expect([ledger.writable, problems]).toEqual([true, []]);
    expect(existsSync(folder)).toBe(false);
  });

  it('says so when another program has locked it', async () => {
    const { folder, at } = place();
    await record(folder, []);
    const other = new DatabaseSync(join(folder, 'ledger.db'));
    other.exec('BEGIN IMMEDIATE');
    expect((await examine(at)).problems).toEqual([
      expect.stringMatching(/ledger\.db: another program has locked it\./),
    ]);
    expect(await saidAtStart(folder)).toMatch(
      /^Unrut cannot record here, .* others have been writing to it all the time\. .* See unrut doctor\.$/,
    );
    other.exec('ROLLBACK');
    other.close();
    expect((await examine(at)).problems).toEqual([]);
  });

  const full = fullFolder();
  it.skipIf(full === undefined)(
    'says so when the disk is full; hooks end well there, and leave no drafts',
    async () => {
      const { at } = place();
      const before = readdirSync(full!);
      for (let n = 1; n <= 4; n++)
        expect(await runHook(full!, LOOPING['claude-code'].before(n))).toEqual(SILENT);
      expect(
        readdirSync(full!, { recursive: true }).filter((name) =>
          /\.\d+$|tmp|turn|draft|pending./.test(String(name)),
        ),
      ).toEqual([]);
      expect(await saidAtStart(full!)).toMatch(
        /^Unrut cannot record here, so it detects no loops: Cannot use .* full\. .* See unrut doctor\.$/,
      );
      const { problems } = await examine({ ...at, variables: { UNRUT_HOME: full! } });
      expect(problems[0]).toMatch(/^Cannot write to .*: .*(?:ENOSPC|no space)/i);
      expect(before).toContain('filler');
    },
  );
});

/** A full file system; undefined if none can be created. */
function fullFolder(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'unrut-full-'));
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder]).status !== 0)
    return undefined;
  afterAll(() => void spawnSync('umount', [folder]));
  try {
    writeFileSync(join(folder, 'filler'), Buffer.alloc(1 << 18));
  } catch {
    // It is full.
  }
  chmodSync(folder, 0o700);
  return folder;
}

describe('doctor, where something failed inside', () => {
  it.each([
    [
      'a day ago and more',
      { where: 'hook', message: 'out of order', hoursAgo: 25 },
      { faults: 0, notUnderstood: 0 },
    ],
    [
      'in the config, which tells of itself',
      { where: 'config', message: 'a wrong key' },
      { faults: 0, notUnderstood: 0 },
    ],
    [
      'for a payload that is no JSON',
      { where: 'hook', message: 'Unexpected end of JSON input' },
      { faults: 0, notUnderstood: 1 },
    ],
  ])('finds nothing wrong when it was %s', async (_, fault, expected) => {
    const { folder, at } = place();
    await record(folder, [fault]);
    const { ledger, problems } = await examine(at);
    expect(problems).toEqual([]);
    expect(ledger).toMatchObject(expected);
  });

  it('says what it was, with one full stop', async () => {
    const { folder, at } = place();
    await record(folder, [{ where: 'ledger', message: 'The ledger was damaged.' }]);
    expect((await examine(at)).problems).toEqual([
      'Unrut had an internal fault; the latest: The ledger was damaged. See unrut show --log --kind fault.',
    ]);
  });
});
