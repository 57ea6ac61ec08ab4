import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { countPending, keepForLater } from '../../packages/agents/src/hook/pending.ts';
import { LOOPING } from '../hosts/looping-host.ts';
import { companionsOf, newHome } from './companion.ts';
import { inLedger, newFolder, runHook, running, SILENT } from './hook-command.ts';

const claude = LOOPING['claude-code'];
const NUMBERS = Array.from({ length: 50 }, (_, n) => n);

/**
 * This many concurrent hooks, and then another one, which records what they had no time for. Checks
 * the ledger.
 */
async function recordedAtOnce(
  place: ReturnType<typeof newHome>,
  round: string,
  sessionOf: (n: number) => string,
  more: object = {},
): Promise<number> {
  const ended = await Promise.all(
    NUMBERS.map((n) =>
      place.run(
        { ...claude.before(n), session_id: sessionOf(n), tool_use_id: `${round}.${n}` },
        more,
      ),
    ),
  );
  expect(ended).toEqual(NUMBERS.map(() => SILENT));
  const last = 'the next';
  while (countPending(place.home) > 0)
    await place.run({ ...claude.before(1), session_id: last, tool_use_id: `${round}.next` }, more);
  const events = await inLedger(place.home, (ledger) => ledger.entries({ kind: 'event' }));
  return events.filter(({ session }) => session !== last).length;
}

/** Lets hooks and their companion run in one of three slices of time. */
function slowDown(hook: string): void {
  const SLICE = 10;
  let slices = 0;
  let companions: number[] = [];
  const tell = (signal: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of [...running, ...companions]) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended.
      }
    }
  };
  const ticking = setInterval(() => {
    if (slices % 100 === 0) companions = companionsOf(hook);
    if (slices % 3 === 0) tell('SIGCONT');
    if (slices % 3 === 1) tell('SIGSTOP');
    slices++;
  }, SLICE);
  onTestFinished(() => {
    clearInterval(ticking);
    tell('SIGCONT');
  });
}

describe('fifty hooks at once', () => {
  test.each([
    ['of one session', () => 'one'],
    ['of fifty sessions', (n: number) => `session ${n}`],
  ])('%s are all recorded, without a companion and with it', async (_, sessionOf) => {
    const place = newHome();
    expect(await recordedAtOnce(place, 'cold', sessionOf)).toBe(50);
    expect(await recordedAtOnce(place, 'warm', sessionOf)).toBe(100);
    expect(await inLedger(place.home, (ledger) => ledger.entries({ kind: 'fault' }))).toEqual([]);
    expect(
      readdirSync(place.home).filter((name) => /turn|start|missed|-draft|\.tmp/.test(name)),
    ).toEqual([]);
  });

  test('are all recorded on a machine three times slower, without a companion and with it', async () => {
    const place = newHome();
    slowDown(place.hook);
    expect(await recordedAtOnce(place, 'cold', (n) => `session ${n % 5}`)).toBe(50);
    expect(await recordedAtOnce(place, 'warm', (n) => `session ${n % 5}`)).toBe(100);
  });

  test('are all recorded where no companion is allowed', async () => {
    const place = newHome();
    expect(await recordedAtOnce(place, 'alone', () => 'one', { UNRUT_COMPANION: 'false' })).toBe(
      50,
    );
  });
});

describe('a hook that had no time', () => {
  const request = (home: string, n: number, said: string) => ({
    input: JSON.stringify({ ...claude.before(n), tool_input: { command: said } }),
    environment: { UNRUT_HOME: home },
    cwd: home,
    home,
    shadow: false,
    from: 'user',
  });

  test('is recorded by the next, and leaves nothing behind', async () => {
    const home = newFolder();
    for (const n of [1, 2]) expect(keepForLater(home, request(home, n, 'ls'))).toBe(true);
    expect(countPending(home)).toBe(2);
    expect(await runHook(home, claude.before(3))).toEqual(SILENT);
    expect(countPending(home)).toBe(0);
    expect(readdirSync(join(home, 'hook-pending'))).toEqual([]);
    expect(await inLedger(home, (ledger) => ledger.entries({ kind: 'event' }))).toHaveLength(3);
  });

  test('is kept without its secrets, for the user only', () => {
    const home = newFolder();
    keepForLater(
      home,
      request(
        home,
        1,
        'curl -H "Authorization: Bearer ghp_abcdefghijklmnopqrstuvwxyz0123456789" https://api.example',
      ),
    );
    const [name] = readdirSync(join(home, 'hook-pending'));
    const file = join(home, 'hook-pending', name!);
    expect(readFileSync(file, 'utf8')).not.toContain('ghp_');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toContain(String(claude.before(1).tool_use_id));
  });

  test('that was damaged is dropped', async () => {
    const home = newFolder();
    keepForLater(home, request(home, 1, 'ls'));
    const [name] = readdirSync(join(home, 'hook-pending'));
    writeFileSync(join(home, 'hook-pending', name!), '{');
    await runHook(home, claude.before(3));
    expect(readdirSync(join(home, 'hook-pending'))).toEqual([]);
  });
});

test('a turn that its hook left behind is taken by the next', async () => {
  const home = newFolder();
  for (let n = 0; n < 64; n++) writeFileSync(join(home, `hook-turn.${n}`), '999999999');
  expect(await runHook(home, claude.before(1))).toEqual(SILENT);
  expect(await inLedger(home, (ledger) => ledger.entries({ kind: 'event' }))).toHaveLength(1);
});

test('a folder that cannot be written to keeps nobody waiting', async () => {
  const home = newFolder();
  chmodSync(home, 0o500);
  onTestFinished(() => chmodSync(home, 0o700));
  expect(await runHook(home, claude.before(1))).toEqual(SILENT);
  expect(existsSync(join(home, 'hook-pending'))).toBe(false);
});
