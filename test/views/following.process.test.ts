import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { followLedger } from '@unrut/ledger/views/follow-ledger';
import { afterEach, describe, expect, test } from 'vitest';
import { bundledPrograms } from '../bundled-programs.ts';
import { newFolder } from '../ledger-files.ts';
import { recordLoop } from './recorded-run.ts';

const { cli } = bundledPrograms();

interface Running {
  child: ChildProcess;
  /** Everything that was printed, once it matches. */
  until(pattern: RegExp): Promise<string>;
  ended: Promise<number | null>;
}

const children = new Set<ChildProcess>();
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
});

function start(program: string, args: string[], home: string): Running {
  const child = spawn(program, args, {
    env: { ...process.env, UNRUT_HOME: home, TZ: 'UTC', TERM: 'xterm' },
    stdio: 'pipe',
  });
  children.add(child);
  let printed = '';
  let look = (): void => {};
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (data: Buffer) => {
      printed += data.toString();
      look();
    });
  return {
    child,
    ended: new Promise((resolve) =>
      child.on('close', (code) => {
        children.delete(child);
        resolve(code);
      }),
    ),
    until: (pattern) =>
      new Promise((resolve, reject) => {
        look = () => void (pattern.test(printed) && resolve(printed));
        child.on('close', () => reject(new Error(`It ended, and had printed: ${printed}`)));
        look();
      }),
  };
}

async function record(home: string, session: string, tries: number): Promise<void> {
  const ledger = createSqliteLedger({ path: join(home, 'ledger.db') });
  await recordLoop(ledger, { session, tries });
  await ledger.close();
}

describe('a ledger that is followed', () => {
  test('gives the newest, then each entry once, also of one that was not there yet', async () => {
    const home = newFolder();
    const stop = new AbortController();
    const found: string[] = [];
    const following = (async () => {
      for await (const entries of followLedger(
        join(home, 'ledger.db'),
        {},
        { kind: 'plan' },
        stop.signal,
      )) {
        found.push(...entries.map(({ session, data }) => `${session} ${data.rung}`));
        if (found.includes('b hint')) stop.abort();
        else if (found.includes('a hint')) await record(home, 'b', 4);
      }
    })();
    await record(home, 'a', 4);
    await following;
    expect(found).toEqual(['a note', 'a hint', 'b note', 'b hint']);
  });

  test('begins with the given number of existing entries', async () => {
    const home = newFolder();
    await record(home, 'a', 4);
    const stop = new AbortController();
    for await (const entries of followLedger(
      join(home, 'ledger.db'),
      {},
      { kind: 'plan', last: 1 },
      stop.signal,
    )) {
      expect(entries.map(({ data }) => data.rung)).toEqual(['hint']);
      stop.abort();
    }
  });
});

describe('unrut show --log --follow', () => {
  test('prints what is added, and ends in order when it is interrupted', async () => {
    const home = newFolder();
    await record(home, 'earlier', 1);
    const { child, until, ended } = start(
      process.execPath,
      [cli, 'show', '--log', '--follow', '--last', '1'],
      home,
    );
    await until(/earlier/);
    await record(home, 'later', 3);
    const printed = await until(/later.*→ note by say-what-repeats/);
    expect(printed.match(/earlier/g)).toHaveLength(1);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });
});

describe('unrut watch', () => {
  test('prints a line for each thing where there is no terminal', async () => {
    const home = join(newFolder(), 'home');
    const { child, until, ended } = start(process.execPath, [cli, 'watch'], home);
    await until(/unrut install claude-code/);
    await record(home, 'fresh', 3);
    const printed = await until(/fresh.*▲ repeated-call.*\n.*fresh.*→ note/s);
    expect(printed).not.toContain('\u001b');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  test('begins with the sessions that are there, and ends with its input', async () => {
    const home = newFolder();
    await record(home, 'earlier', 4);
    const { child, until, ended } = start(process.execPath, [cli, 'watch'], home);
    expect(await until(/earlier +looping +claude-code/)).not.toContain('\u001b');
    child.stdin!.end();
    expect(await ended).toBe(0);
  });

  test('redraws a terminal in place, and gives it back when q is pressed', async () => {
    const home = newFolder();
    const command = `stty rows 12 cols 100 && '${process.execPath}' '${cli}' watch`;
    const { child, until, ended } = start('script', ['-qec', command, '/dev/null'], home);
    await until(/No active agents/);
    await record(home, 'fresh', 4);
    const printed = await until(/▲ looping {2}fresh .*4 steps, 1 loop, 2 plans/);
    expect(printed).toContain('\u001b[?1049h');
    expect(printed).not.toContain('\u001b[?1049l');
    child.stdin!.write('o');
    await until(/Off for fresh/);
    child.stdin!.write('q');
    expect(await ended).toBe(0);
    expect(await until(/\u001b\[\?1049l/).catch((error: Error) => error.message)).toContain(
      '\u001b[?1049l',
    );
  });
});
