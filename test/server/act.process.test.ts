import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import type { IncidentsAnswer, SessionAnswer } from '@unrut/server/api/answers';
import { expect, test, vi } from 'vitest';
import { bundledPrograms } from '../bundled-programs.ts';
import { runHook } from '../hook/hook-command.ts';
import { LOOPING } from '../hosts/looping-host.ts';
import { newFolder } from '../ledger-files.ts';
import { ask } from './request.ts';
import { startProgram, tellEvents } from './served.ts';

const { cli } = bundledPrograms();
const claude = LOOPING['claude-code'];
const SESSION = claude.before(1).session_id as string;
const { CI: _, ...environment } = process.env;

/** A server, an agent that reports to it by HTTP hooks and loops, and a person at a terminal. */
async function place() {
  const home = newFolder();
  const { url } = await startProgram(cli, home);
  let next = 1;
  return {
    home,
    url,
    /** So many further tries: what the agent was told. */
    async loop(tries: number): Promise<object[]> {
      const told: object[] = [];
      for (const end = next + tries; next < end; next++)
        for (const payload of [claude.before(next), ...claude.after(next)]) {
          const { text } = await ask(`${url}/v1/hooks/claude-code`, {
            body: JSON.stringify(payload),
          });
          if (text !== '{}') told.push(JSON.parse(text));
        }
      return told;
    },
    async act(body: object): Promise<{ status: number; said: { text?: string; code?: string } }> {
      const { status, text } = await ask(`${url}/v1/act`, { body: JSON.stringify(body) });
      return { status, said: JSON.parse(text) };
    },
    session: async (): Promise<SessionAnswer> =>
      JSON.parse(
        (await ask(`${url}/v1/sessions/${SESSION}`, { method: 'GET' })).text,
      ) as SessionAnswer,
    unrut: (...args: string[]) =>
      spawnSync(process.execPath, [cli, ...args], {
        encoding: 'utf8',
        cwd: home,
        env: { ...environment, UNRUT_HOME: home, HOME: home },
      }),
  };
}

const isRefused = (told: readonly object[]): boolean =>
  told.some((each) => claude.refuses!(each as never));

test('a false alarm from the page is the record of unrut false-alarm, and the agent is not refused any more', async () => {
  const here = await place();
  expect(isRefused(await here.loop(6))).toBe(true);
  const { status, said } = await here.act({ session: SESSION, act: 'false-alarm' });
  expect(status).toBe(200);
  expect(said.text).toMatch(/^Noted as a false alarm: the call/);
  expect(isRefused(await here.loop(3))).toBe(false);
  // A second word, from the terminal, is about the same.
  const again = JSON.parse(here.unrut('false-alarm', '--json', SESSION).stdout) as {
    forgiven: { times: number; silent: boolean };
  };
  expect(again.forgiven).toMatchObject({ times: 2, silent: true });
  const ledger = createSqliteLedger({ path: join(here.home, 'ledger.db') });
  const [page, terminal] = (await ledger.context({ topics: ['unrut/false-alarm'] })).toSorted(
    (one, other) => one.timestamp - other.timestamp,
  );
  await ledger.close();
  expect(Object.keys(page!)).toEqual(Object.keys(terminal!));
  expect(page).toMatchObject({
    entryType: 'false-alarm',
    content: expect.stringMatching(/^npm test: `npm test` failed/),
    metadata: { scope: 'call', times: 1 },
  });
  expect(terminal).toMatchObject({ metadata: { scope: 'call', times: 2 } });
});

test('twin: who says nothing is refused again', async () => {
  const here = await place();
  await here.loop(6);
  expect(isRefused(await here.loop(3))).toBe(true);
});

test('off for a session holds at once for its hooks, in this process and in others, and on ends it', async () => {
  const here = await place();
  await here.loop(4);
  expect((await here.session()).control).toEqual({
    isOff: false,
    canStop: true,
    isStopping: false,
  });
  expect((await here.act({ session: SESSION, act: 'off' })).status).toBe(200);
  expect((await here.session()).control).toMatchObject({ isOff: true });
  expect(await here.loop(3)).toEqual([]);
  expect((await runHook(here.home, claude.before(50))).stdout).toBe('');
  await here.act({ session: SESSION, act: 'on' });
  expect((await here.session()).control).toMatchObject({ isOff: false });
  expect((await here.loop(3)).length).toBeGreaterThan(0);
});

test('off holds for a session of the client too, and for no other', async () => {
  const here = await place();
  const loopOf = (session: string, from: number) =>
    Array.from({ length: 6 }, (_, i) => ({
      type: 'call-finished',
      session,
      at: 1_794_800_000_000 + (from + i) * 5000,
      result: 'the same page text again, long enough',
      call: { id: `c${from + i}`, tool: 'fetch', args: { url: 'a' } },
    }));
  await tellEvents(here.url, [...loopOf('one', 0).slice(0, 1), ...loopOf('other', 0).slice(0, 1)]);
  await here.act({ session: 'one', act: 'off' });
  const mixed = loopOf('one', 1).flatMap((event, i) => [event, loopOf('other', 1)[i]!]);
  const verdicts = await tellEvents(here.url, mixed);
  const plans = (session: string) =>
    verdicts.filter(({ plan }, i) => mixed[i]!.session === session && plan !== null);
  expect(plans('one')).toEqual([]);
  expect(verdicts.some(({ shadow }, i) => mixed[i]!.session === 'one' && shadow !== null)).toBe(
    true,
  );
  expect(plans('other').length).toBeGreaterThan(0);
});

test('a stop ends the run at its next call, once, wherever its hooks are answered', async () => {
  const here = await place();
  await here.loop(1);
  expect((await here.act({ session: SESSION, act: 'stop' })).said.text).toBe(
    'It will be stopped at its next call.',
  );
  expect((await here.session()).control).toMatchObject({ isStopping: true });
  const [stopped] = await here.loop(1);
  expect(stopped).toMatchObject({
    continue: false,
    stopReason: expect.stringMatching(/^Unrut: stopped, as somebody asked/),
  });
  await vi.waitFor(
    async () => expect((await here.session()).control).toMatchObject({ isStopping: false }),
    { timeout: 30_000 },
  );
  expect((await here.loop(1)).some((each) => 'continue' in each)).toBe(false);
  // A hook process of its own obeys as well.
  await here.act({ session: SESSION, act: 'stop' });
  expect(JSON.parse((await runHook(here.home, claude.before(80))).stdout)).toMatchObject({
    continue: false,
  });
  expect((await runHook(here.home, claude.before(81))).stdout).not.toContain('"continue":false');
});

test('all agents of an incident read what a person tells them, once, with the next result', async () => {
  const { home, url } = await place();
  const send = (n: number, session: string) =>
    [claude.before(n), ...claude.after(n)].map((payload) => ({ ...payload, session_id: session }));
  const hear = async (n: number, session: string): Promise<string> => {
    const heard: string[] = [];
    for (const payload of send(n, session))
      heard.push(
        (await ask(`${url}/v1/hooks/claude-code`, { body: JSON.stringify(payload) })).text,
      );
    return heard.join('\n');
  };
  const agents = ['one', 'two', 'three', 'four'];
  for (const agent of agents) for (let n = 1; n <= 3; n++) await hear(n, agent);
  const get = async <T>(path: string): Promise<T> =>
    JSON.parse((await ask(url + path, { method: 'GET' })).text) as T;
  const incident = await vi.waitFor(
    async () => {
      const [found] = (await get<IncidentsAnswer>('/v1/incidents')).incidents;
      expect(found).toMatchObject({ sessions: 4 });
      return found!;
    },
    { timeout: 30_000 },
  );
  const tell = async (body: object) => {
    const answer = await ask(`${url}/v1/incidents/${incident.id}`, { body: JSON.stringify(body) });
    return { status: answer.status, said: JSON.parse(answer.text) };
  };
  expect((await tell({ act: 'tell', text: '  ' })).status).toBe(400);
  expect(
    await tell({ act: 'tell', text: 'It is down\u001b[2J until 08:00. Do other work.' }),
  ).toEqual({
    status: 200,
    said: {
      text: '4 agents will read it with the next result.',
      incident: expect.objectContaining({
        notes: [
          expect.objectContaining({ text: 'Told all: It is down until 08:00. Do other work.' }),
        ],
      }),
    },
  });
  const words = 'A person who looks after this and other agents says: It is down until 08:00.';
  for (const agent of ['one', 'two', 'three']) {
    expect(await hear(10, agent)).toContain(words);
    expect(await hear(11, agent)).not.toContain(words);
  }
  // A hook process of its own passes it on as well; others hear nothing.
  const alone = async (session: string) =>
    (await Promise.all(send(12, session).map((payload) => runHook(home, payload))))
      .map(({ stdout }) => stdout)
      .join('\n');
  expect(await alone('four')).toContain(words);
  expect(await hear(13, 'four')).not.toContain(words);
  expect(await hear(1, 'other')).not.toContain(words);
});

test.each([
  [{ session: 'nobody', act: 'off' }, 404, 'unknown-session'],
  [{ session: 'client', act: 'stop' }, 409, 'cannot-stop'],
  [{ session: 'client', act: 'false-alarm' }, 409, 'no-alarm'],
  [{ session: 'client', act: 'forget' }, 400, 'malformed'],
  [{ session: 'client', act: 'off', more: 1 }, 400, 'malformed'],
])('%j is refused with %i', async (body, status, code) => {
  const here = await place();
  await tellEvents(here.url, { type: 'user-spoke', session: 'client', at: 1_794_800_000_000 });
  const answer = await here.act(body);
  expect([answer.status, answer.said.code]).toEqual([status, code]);
});
