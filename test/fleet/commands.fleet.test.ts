import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../ledger-files.ts';
import { query } from './databases.ts';
import { sharedDatabases } from './fleet-databases.ts';
import { runCommand } from './run-command.ts';
import { startFleetServer } from './servers.ts';

const look = (i: number, session = 's') => ({
  type: 'call-finished',
  session,
  at: 1_700_000_000_000 + i * 5000,
  id: `e${i}`,
  call: { id: `c${i}`, tool: 'lookup_order', args: { order: 7 } },
  result: 'Order 7 was shipped on Monday.',
});

const send = (url: string, events: object[]): Promise<Response> =>
  fetch(`${url}/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ events }),
  });

describe('commands on Postgres', () => {
  test('migrate makes the tables, and says whether there is anything to do', async () => {
    const databases = sharedDatabases();
    const owner = databases.url(await databases.emptyDatabase(), 'unrut_owner');
    expect((await runCommand(['ledger', 'migrate', '--check'], owner)).code).toBe(1);
    expect(await runCommand(['ledger', 'migrate'], owner)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('from version 0'),
    });
    expect(await runCommand(['ledger', 'migrate', '--check', '--json'], owner)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"changed":false'),
    });
    expect(await runCommand(['ledger', 'upkeep', '--json'], owner)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"made":0'),
    });
  });

  test('migrate and upkeep tell a role that does not own the tables to leave them to the owner', async () => {
    const { server } = await sharedDatabases().newDatabase();
    for (const command of ['migrate', 'upkeep'])
      expect(await runCommand([command], server)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(
          /permission denied.*Run it as the role that owns the tables\.$/m,
        ),
      });
  });

  test('two servers and the commands share sessions, keys and what is found', async () => {
    const { server, superuser } = await sharedDatabases().newDatabase();
    const [one, other] = await Promise.all([
      startFleetServer({ ledger: server }),
      startFleetServer({ ledger: server }),
    ]);
    for (let i = 0; i < 4; i++)
      expect((await send([one, other][i % 2]!.url, [look(i)])).status).toBe(200);
    expect((await send(one.url, [look(2)])).status).toBe(200);
    const rows = await query(
      superuser,
      'SELECT session, events::int, signals::int, loops FROM unrut.sessions',
    );
    expect(rows).toEqual([{ session: 's', events: 4, signals: expect.any(Number), loops: 1 }]);
    expect((await runCommand(['show', '--list', '--json'], server)).stdout).toContain(
      '"session":"s"',
    );
    expect((await runCommand(['show', 's'], server)).stdout).toContain('lookup_order');
    const added = await runCommand(['key', 'add', 'ci', '--json'], server);
    expect((await runCommand(['key', 'list'], server)).stdout).toContain(
      (JSON.parse(added.stdout) as { id: string }).id,
    );
    expect((await runCommand(['ledger', 'forget', 's'], server)).stdout).toContain(
      'Deleted s: 4 events.',
    );
    expect(await query(superuser, 'SELECT FROM unrut.events')).toEqual([]);
  });

  test('hooks record to it directly, warn of a loop, and answer with nothing while it is away', async () => {
    const { server, superuser } = await sharedDatabases().newDatabase();
    const call = (i: number, name: string): string =>
      JSON.stringify({
        session_id: 'h',
        transcript_path: '/none.jsonl',
        cwd: '/',
        permission_mode: 'default',
        hook_event_name: name,
        tool_name: 'mcp__shop__order',
        tool_input: { order: 7 },
        tool_response: 'Order 7 was shipped.',
        tool_use_id: `t${i}`,
      });
    const answers: string[] = [];
    for (const i of [1, 2, 3])
      answers.push((await runCommand(['hook'], server, call(i, 'PostToolUse'))).stdout);
    expect(
      answers.map((answer) => answer.includes('mcp__shop__order') || answer.includes('order')),
    ).toEqual([false, false, true]);
    // Three calls, and that a note was given.
    expect(
      await query(superuser, 'SELECT session, events::int FROM unrut.states WHERE events > 0'),
    ).toEqual([{ session: 'h', events: 4 }]);
    const file = join(newFolder(), 'server.url');
    writeFileSync(file, `${server}\n`);
    await runCommand(['hook'], '', call(4, 'PostToolUse'), { UNRUT_LEDGER_FILE: file });
    expect(await query(superuser, 'SELECT events::int FROM unrut.states WHERE events > 0')).toEqual(
      [{ events: 5 }],
    );
    const { stdout } = await runCommand(['doctor', '--json'], '', '', { UNRUT_LEDGER_FILE: file });
    const { ledger } = JSON.parse(stdout) as { ledger: object };
    expect(ledger).toMatchObject({
      path: new URL(server).host + new URL(server).pathname,
      bytes: null,
      lastEvent: expect.any(Number),
    });
    const away = await runCommand(
      ['hook'],
      'postgres://someone:hidden-word@127.0.0.1:1/none',
      call(4, 'PostToolUse'),
    );
    expect([away.code, away.stderr, away.stdout.includes('hidden-word')]).toEqual([0, '', false]);
    expect(away.stdout.trim()).toMatch(/^(?:\{\})?$/);
  });

  test('a server that cannot be used says so at once: nothing keeps its process', async () => {
    const databases = sharedDatabases();
    const { server } = await databases.newDatabase();
    for (const [args, address, code, what] of [
      [
        [],
        databases.url(await databases.emptyDatabase(), 'unrut_app'),
        2,
        'Run unrut ledger migrate.',
      ],
      [
        [],
        databases.url('none_such', 'unrut_app'),
        2,
        'Check role, password and name of the database.',
      ],
      [['--host', '0.0.0.0'], server, 64, 'it needs a token or a key'],
    ] as const) {
      const began = performance.now();
      const ran = await runCommand(['serve', '--port', '0', ...args], address);
      expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(what)]);
      // A pool keeps its process for ten seconds, and callers retry for thirty.
      expect(performance.now() - began).toBeLessThan(9000);
    }
  });

  test('an organisation is added by the owner alone, once', async () => {
    const { server, owner } = await sharedDatabases().newDatabase();
    const add = (ledger: string) => runCommand(['key', 'add', '--new-org', 'other'], ledger);
    const denied = await add(server);
    expect([denied.code, denied.stdout]).toEqual([2, '']);
    expect(denied.stderr).toMatch(
      /^\[unrut\] --new-org needs the role that owns the tables: .+\n$/,
    );
    expect((await add(owner)).code).toBe(0);
    expect((await add(owner)).stderr).toContain(
      'There is an organisation other already: use --org',
    );
  });

  test('a server on a database is a gateway only where it is asked to be one', async () => {
    const { server } = await sharedDatabases().newDatabase();
    const isGateway = async (...args: string[]): Promise<boolean> => {
      const env = { UNRUT_TOKEN: 'a-token-of-some-length' };
      const { url } = await startFleetServer({ ledger: server, args, env });
      // Only a gateway asks for the token in a header of its own.
      const answer = await fetch(`${url}/openai/v1/chat/completions`, { method: 'POST' });
      return (await answer.text()).includes('x-unrut-token');
    };
    expect(await isGateway()).toBe(false);
    expect(await isGateway('--gateway')).toBe(true);
    expect(await isGateway('--upstream', 'none=http://127.0.0.1:1')).toBe(true);
    const { url } = await startFleetServer({ ledger: server });
    const run = await fetch(`${url}/v1/cua`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect([run.status, ((await run.json()) as { code: string }).code]).toEqual([403, 'cua-off']);
    const ran = await runCommand(['serve', '--gateway'], server, '', {
      UNRUT_SECRET: 'the-secret-of-the-servers-of-this-test',
    });
    expect([ran.code, ran.stderr]).toEqual([
      64,
      expect.stringContaining('A server for organisations is no gateway'),
    ]);
  });

  test('a database that cannot be used is one line without a secret', async () => {
    const databases = sharedDatabases();
    const away = `postgres://someone:hidden-word@127.0.0.1:1/none`;
    for (const [address, what] of [
      [away, 'Cannot use 127.0.0.1:1/none'],
      [databases.url(await databases.emptyDatabase(), 'unrut_owner'), 'Run unrut ledger migrate.'],
      [
        databases.url('none_such', 'unrut_owner').replace('@', ':hidden-word@'),
        'Check role, password and name of the database.',
      ],
      ['postgres://someone:hidden-word@[', 'expected'],
    ] as const) {
      const { code, stderr, stdout } = await runCommand(['show', '--list'], address);
      expect([what, code, stderr.trim().split('\n').length]).toEqual([what, 2, 1]);
      expect(stderr).toContain(what);
      expect(stderr + stdout).not.toContain('hidden-word');
    }
  });
});
