import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Payload } from '../hosts/hook-process.ts';
import { LOOPING } from '../hosts/looping-host.ts';
import { addressIn, companionsOf, newHome, ON, until } from './companion.ts';
import {
  hostsIn,
  inLedger,
  newFolder,
  programOf,
  runHook,
  SILENT,
  UNSIGNED,
} from './hook-command.ts';

const claude = LOOPING['claude-code'];

/** With a companion that is there. */
async function accompanied(): Promise<ReturnType<typeof newHome> & { pid: number }> {
  const place = newHome();
  expect(await place.run({ ...claude.before(1), session_id: 'first' })).toEqual(SILENT);
  await until(() => addressIn(place.home) !== undefined);
  const [pid] = companionsOf(place.hook);
  return { ...place, pid: pid! };
}

/** From now on only a companion can answer. */
const breakProgram = (hook: string): void => writeFileSync(programOf(hook), 'throw new Error()');

async function loop(
  { run }: Pick<ReturnType<typeof newHome>, 'run'>,
  tries: number,
  more: object = {},
  args: string[] = [],
): Promise<string[]> {
  const printed: string[] = [];
  for (let n = 1; n <= tries; n++) {
    for (const payload of [claude.before(n), ...claude.after(n)])
      printed.push((await run(payload, more, args)).stdout);
  }
  return printed.filter((text) => text !== '');
}

describe('the process that the first hook leaves behind', () => {
  test('answers the next ones as they would themselves', async () => {
    const place = await accompanied();
    breakProgram(place.hook);
    const [note, hint, ...none] = await loop(place, 4);
    const alone = newFolder();
    const expected = await loop({ run: (payload) => runHook(alone, payload) }, 4);
    expect([note, hint]).toEqual(expected);
    expect(none).toEqual([]);
    expect(claude.refuses!(JSON.parse((await place.run(claude.before(5))).stdout) as Payload)).toBe(
      true,
    );
    expect(companionsOf(place.hook)).toEqual([place.pid]);
  });

  test('goes by the agent that the command of each hook names', async () => {
    const place = await accompanied();
    breakProgram(place.hook);
    const before = await inLedger(place.home, hostsIn);
    await place.run(UNSIGNED, {}, ['factory']);
    await place.run(UNSIGNED, {}, ['claude-code']);
    expect((await inLedger(place.home, hostsIn)).slice(before.length)).toEqual([
      'factory',
      'claude-code',
    ]);
  });

  test('goes by the arguments and the environment of each hook', async () => {
    const place = await accompanied();
    breakProgram(place.hook);
    expect(await loop(place, 2, {}, ['--shadow'])).toEqual([]);
    expect(await loop(place, 4, { UNRUT_SHADOW: '1' })).toEqual([]);
    expect(await inLedger(place.home, (ledger) => ledger.entries({ kind: 'plan' }))).not.toEqual(
      [],
    );
  });

  test('is one, however many hooks come at once, and no event is lost', async () => {
    const place = newHome();
    const numbers = Array.from({ length: 20 }, (_, n) => n);
    for (let round = 0; round < 2; round++) {
      const ended = await Promise.all(
        numbers.map((n) => place.run({ ...claude.before(n), tool_use_id: `${round}.${n}` })),
      );
      expect(ended).toEqual(numbers.map(() => SILENT));
      await until(() => addressIn(place.home) !== undefined);
    }
    expect(companionsOf(place.hook)).toHaveLength(1);
    const session = claude.before(1).session_id as string;
    expect(
      await inLedger(place.home, (ledger) => ledger.entries({ session, kind: 'event' })),
    ).toHaveLength(2 * numbers.length);
  });

  test('ends when its address is gone', async () => {
    const { home, hook } = await accompanied();
    rmSync(join(home, addressIn(home)!));
    await until(() => companionsOf(hook).length === 0);
  });

  test('is not started where the settings say so, and ends when they begin to', async () => {
    const place = newHome();
    await place.run(claude.before(1), { UNRUT_COMPANION: 'false' });
    expect(readdirSync(place.home).filter((name) => /socket|start/.test(name))).toEqual([]);
    await place.run(claude.before(2));
    await until(() => addressIn(place.home) !== undefined);
    await place.run(claude.before(3), { UNRUT_COMPANION: 'false' });
    await until(() => companionsOf(place.hook).length === 0);
    expect(addressIn(place.home)).toBeUndefined();
  });

  test('writes to the ledger that is there', async () => {
    const place = await accompanied();
    for (const name of readdirSync(place.home))
      if (name.startsWith('ledger.db')) rmSync(join(place.home, name));
    breakProgram(place.hook);
    expect(await place.run({ ...claude.before(1), session_id: 'later' })).toEqual(SILENT);
    expect(
      (await inLedger(place.home, (ledger) => ledger.sessions())).map(({ session }) => session),
    ).toEqual(['later']);
  });
});

describe('what it must not do', () => {
  test('it keeps no file open that the agent was handed, such as a lock', async () => {
    const { home, hook } = newHome();
    const lock = join(newFolder(), 'lock');
    const payload = join(newFolder(), 'payload.json');
    writeFileSync(payload, JSON.stringify(claude.before(1)));
    const script = 'exec 200>"$1"; flock -n 200; "$2" "$3" < "$4"';
    execFileSync('bash', ['-c', script, 'bash', lock, process.execPath, hook, payload], {
      env: { ...process.env, ...ON, UNRUT_HOME: home },
    });
    await until(() => addressIn(home) !== undefined);
    expect(companionsOf(hook)).toHaveLength(1);
    execFileSync('flock', ['-n', lock, 'true']);
  });

  test('it sees no variable that no hook reads', async () => {
    const place = await accompanied();
    breakProgram(place.hook);
    const asked: string[] = [];
    const address = join(place.home, addressIn(place.home)!);
    rmSync(address);
    const listener = createServer({ allowHalfOpen: true }, (socket) => {
      socket.write('+');
      socket.setEncoding('utf8').on('data', (part: string) => asked.push(part));
      socket.on('end', () => socket.end('{"stdout":"","exitCode":0}'));
    }).listen(address);
    onTestFinished(() => void listener.close());
    await place.run(claude.before(1), {
      API_TOKEN: 'planted-value',
      UNRUT_TOKEN: 'planted-value',
      CI: '1',
    });
    const { environment } = JSON.parse(asked.join('')) as { environment: object };
    expect(environment).toMatchObject({ CI: '1', UNRUT_HOME: place.home });
    expect(asked.join('')).not.toContain('planted-value');
  });

  test.each([
    '{}',
    '[]',
    '{"stdout":5,"exitCode":3}',
    '{"stdout":"x","exitCode":"abc"}',
    '"x"',
    '',
  ])('it is not believed when it says %s', async (said) => {
    const place = await accompanied();
    const address = join(place.home, addressIn(place.home)!);
    rmSync(address);
    const listener = createServer({ allowHalfOpen: true }, (socket) => {
      socket.write('+');
      socket.resume().on('end', () => socket.end(said));
    }).listen(address);
    onTestFinished(() => void listener.close());
    expect(await place.run(claude.before(1))).toEqual(SILENT);
    expect(await inLedger(place.home, (ledger) => ledger.entries({ kind: 'event' }))).toHaveLength(
      2,
    );
  });

  test('it is not asked where others can write', async () => {
    const place = await accompanied();
    breakProgram(place.hook);
    chmodSync(place.home, 0o777);
    expect((await place.run(claude.before(1))).stderr).toBe('');
    expect(await inLedger(place.home, (ledger) => ledger.entries({ kind: 'event' }))).toHaveLength(
      1,
    );
  });

  test('it loses no event while others write', async () => {
    const place = await accompanied();
    const other = new DatabaseSync(join(place.home, 'ledger.db'));
    other.exec('BEGIN IMMEDIATE');
    const asking = place.run(claude.before(1));
    await new Promise((resolve) => setTimeout(resolve, 1100));
    other.exec('ROLLBACK');
    other.close();
    expect(await asking).toEqual(SILENT);
    expect(await inLedger(place.home, (ledger) => ledger.entries({ kind: 'event' }))).toHaveLength(
      2,
    );
  });

  test('it counts nothing that the hook has counted by itself, also where calls have no ids', async () => {
    const place = await accompanied();
    const payload = { ...claude.before(1), session_id: 'stuck', tool_use_id: undefined };
    process.kill(place.pid, 'SIGSTOP');
    await place.run(payload);
    process.kill(place.pid, 'SIGCONT');
    await until(() => !companionsOf(place.hook).includes(place.pid));
    expect(
      await inLedger(place.home, (ledger) => ledger.entries({ session: 'stuck', kind: 'event' })),
    ).toHaveLength(1);
  });

  test('it goes by a config that is a program only as that is now', async () => {
    const place = newHome();
    const config = join(place.home, 'unrut.config.js');
    writeFileSync(config, 'export default {};');
    await place.run({ ...claude.before(1), session_id: 'first' });
    await until(() => addressIn(place.home) !== undefined);
    await place.run({ ...claude.before(2), session_id: 'first' });
    writeFileSync(config, 'export default { shadow: true };');
    expect(await loop(place, 3)).toEqual([]);
  });

  test('notifications run in the folder and environment of the hook that asks for them', async () => {
    const place = newHome();
    const told = join(newFolder(), 'told');
    const project = newFolder();
    writeFileSync(
      join(place.home, 'unrut.config.json'),
      JSON.stringify({ notify: { command: `(pwd; echo $WHO) > ${told}` } }),
    );
    await place.run({ ...claude.before(1), session_id: 'first' }, { WHO: 'first' });
    await until(() => addressIn(place.home) !== undefined);
    const tries = [1, 2, 3, 4].flatMap((n) => [claude.before(n), ...claude.after(n)]);
    for (const payload of [
      ...tries,
      claude.before(5),
      ...claude.afterRefusal!(5),
      claude.before(6),
      ...claude.after(6),
    ])
      await runHook(place.home, payload, { ...ON, WHO: 'second' }, [], place.hook, project);
    await until(() => existsSync(told) && readFileSync(told, 'utf8').split('\n').length > 2);
    expect(readFileSync(told, 'utf8')).toBe(`${realpathSync(project)}\nsecond\n`);
  });
});

describe('without it the hook answers by itself', () => {
  test('when it was killed, and leaves another', async () => {
    const place = await accompanied();
    process.kill(place.pid, 'SIGKILL');
    await until(() => companionsOf(place.hook).length === 0);
    expect(await loop(place, 3)).toHaveLength(1);
    await until(() => companionsOf(place.hook).length === 1 && addressIn(place.home) !== undefined);
  });

  test('when it is stuck, which it is asked only once', async () => {
    const place = await accompanied();
    process.kill(place.pid, 'SIGSTOP');
    const first = addressIn(place.home)!;
    expect(await place.run(claude.before(1))).toEqual(SILENT);
    const events = await inLedger(place.home, (ledger) => ledger.entries({ kind: 'event' }));
    expect(events).toHaveLength(2);
    process.kill(place.pid, 'SIGCONT');
    await until(() => !companionsOf(place.hook).includes(place.pid));
    await until(() => existsSync(join(place.home, first)));
  });

  test('when something else is there that takes no questions', async () => {
    const { home, run } = await accompanied();
    const address = join(home, addressIn(home)!);
    rmSync(address);
    writeFileSync(address, 'a file');
    expect(await loop({ run }, 3)).toHaveLength(1);
  });
});
