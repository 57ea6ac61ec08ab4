import { expect, test } from 'vitest';
import { sharedDatabases } from './fleet-databases.ts';
import { eventOf } from './load.ts';
import { runCommand } from './run-command.ts';
import { startFleetServer } from './servers.ts';

const SECRET = 'the-secret-of-the-servers-of-this-test';

test('servers as processes keep organisations apart, whichever is asked, and tell no secret', async () => {
  const { server, owner } = await sharedDatabases().newDatabase();
  const addKey = async (ledger: string, ...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runCommand(
      ['key', 'add', 'all', '--scope', 'ingest,read', ...args],
      ledger,
    );
    expect(code, stderr).toBe(0);
    return stdout.trim();
  };
  const keys = [await addKey(server), await addKey(owner, '--new-org', 'other')];
  const env = { UNRUT_SECRET: SECRET };
  const servers = [
    await startFleetServer({ ledger: server, env }),
    await startFleetServer({ ledger: server, env }),
  ];
  const ask = (which: number, key: string, path: string, body?: object): Promise<Response> =>
    fetch(servers[which]!.url + path, {
      headers: { authorization: `Bearer ${key}` },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
  const stepsOf = async (which: number, key: string): Promise<number[]> => {
    const { sessions } = (await (await ask(which, key, '/v1/sessions')).json()) as {
      sessions: { session: string; steps: number }[];
    };
    expect(sessions.map(({ session }) => session)).toEqual(['same-name']);
    return sessions.map(({ steps }) => steps);
  };

  for (let i = 0; i < 6; i++)
    for (const [org, key] of keys.entries())
      if (org === 0 || i < 2)
        expect((await ask(i % 2, key, '/v1/events', eventOf('same-name', 1, i))).status).toBe(200);
  for (const which of [0, 1]) {
    expect(await stepsOf(which, keys[0]!)).toEqual([6]);
    expect(await stepsOf(which, keys[1]!)).toEqual([2]);
    expect((await fetch(`${servers[which]!.url}/v1/sessions`)).status).toBe(401);
    expect((await ask(which, `${keys[0]!.slice(0, -4)}AAAA`, '/v1/sessions')).status).toBe(401);
  }

  await servers[0]!.kill();
  expect(await stepsOf(1, keys[1]!)).toEqual([2]);
  expect(await servers[1]!.stop()).toBe(0);
  for (const { log } of servers)
    for (const secret of [SECRET, ...keys.map((key) => key.split('_').slice(2).join('_'))])
      expect(log).not.toContain(secret);
});
