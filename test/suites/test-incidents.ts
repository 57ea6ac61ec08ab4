import type { AgentEvent } from '@unrut/engine/event';
import type { EventOrigin } from '@unrut/engine/event-parts';
import type { Incident } from '@unrut/ledger/incidents/incident';
import type { Ledger } from '@unrut/ledger/ledger';
import { createRecorder } from '@unrut/ledger/recorder';
import type { Reports } from '@unrut/ledger/reports/reports';
import { expect } from 'vitest';
import type { Case } from '../../packages/testing/src/case.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A call that an agent makes again and again, and what it fails with. */
export interface FailingCall {
  tool?: string;
  args: { [name: string]: string };
  error: string;
}

/** A service that is away, as many agents meet it. */
export const DEAD_SERVICE: FailingCall = {
  tool: 'http_request',
  args: { method: 'POST', url: 'https://payments.internal.example/v1/charge' },
  error: '503 Service Unavailable: connect ECONNREFUSED payments.internal.example:443',
};

/** The events of an agent that makes a call so often, the last of them at this time. */
export function failingEvents(
  session: string,
  { tool = 'bash', args, error }: FailingCall,
  until: number,
  { times = 6, origin = {} }: { times?: number; origin?: EventOrigin } = {},
): AgentEvent[] {
  const events: AgentEvent[] = [];
  for (let i = 0; i < times; i++) {
    const at = until - (times - 1 - i) * 1000;
    const call = { id: `${until}-${i}`, tool, args };
    events.push(
      { type: 'call-proposed', session, at, id: `p-${call.id}`, origin, call },
      { type: 'call-finished', session, at, id: `f-${call.id}`, origin, call, error },
    );
  }
  return events;
}

/** Unrelated failures: each agent has its own repository, call and words. */
export const ownFailure = (i: number): FailingCall => ({
  args: { command: `npm run task-${'abcdefghij'[i % 10]}${'klmnopqrst'[Math.floor(i / 10) % 10]}` },
  error: `exit code 1: cannot find ${'qwertzuiop'[i % 10]}${'asdfghjkly'[Math.floor(i / 10) % 10]} in module`,
});

/** Forty agents of four programs, three repositories and two teams. */
export const originOf = (i: number): EventOrigin => ({
  host: ['claude-code', 'codex', 'cursor', 'goose'][i % 4]!,
  repo: ['shop', 'billing', 'docs'][i % 3]!,
  team: ['payments', 'web'][i % 2]!,
});

export interface IncidentsUnderTest {
  ledger: Ledger;
  reports: Reports;
  close(): Promise<void>;
}

/** Cases that every ledger with incidents passes; times are those of the clock it is given. */
export function testIncidents(open: (now: () => number) => Promise<IncidentsUnderTest>): Case[] {
  // Postgres compares what is heard with a clock of its own.
  const start = Date.now() - MINUTE;

  const about = (name: string, run: (world: World) => Promise<void>): Case => ({
    name,
    async run() {
      let now = start;
      const opened = await open(() => now);
      const recorder = createRecorder(opened.ledger, {}, { now: () => now });
      const world: World = {
        ...opened,
        later(milliseconds) {
          now += milliseconds;
        },
        now: () => now,
        async record(session, call, how = {}) {
          const events = failingEvents(session, call, now, how);
          const { error } = await recorder.record(events);
          if (error) throw error;
        },
        async look() {
          await opened.ledger.incidents!.look(now);
          return (await opened.reports.incidents({ most: 100 })).incidents;
        },
      };
      try {
        await run(world);
      } finally {
        await opened.close();
      }
    },
  });

  return [
    about('forty agents that fail on one dead service are one incident', async (world) => {
      for (let i = 0; i < 40; i++)
        await world.record(`agent-${i}`, DEAD_SERVICE, { origin: originOf(i) });
      const [incident, ...others] = await world.look();
      expect(others).toEqual([]);
      expect(incident).toMatchObject({
        state: 'open',
        kind: 'failure',
        target: 'payments.internal.example',
        sessions: 40,
        calls: 240,
        users: 0,
        last: world.now(),
        notes: [],
        teams: [
          { name: 'payments', sessions: 20 },
          { name: 'web', sessions: 20 },
        ],
        hosts: ['claude-code', 'codex', 'cursor', 'goose'].map((name) => ({ name, sessions: 10 })),
      });
      expect(incident!.text).toBe(
        `\`http_request POST\` fails at payments.internal.example: ${DEAD_SERVICE.error}`,
      );
      expect(incident!.pulse).toHaveLength(20);
      expect(incident!.pulse.at(-1)).toBe(40);
      const { failing, states } = await world.reports.sessions({ most: 0, facets: true });
      expect([failing, states.looping]).toEqual([40, 0]);
      const { sessions } = await world.reports.sessions({ most: 100 });
      expect(sessions.filter((each) => each.failing)).toHaveLength(40);
      const found = await world.reports.sessions({ most: 1, search: 'econnrefused' });
      expect(found.total).toBe(40);
      expect(await world.reports.sessions({ most: 1, search: 'enotfound' })).toMatchObject({
        total: 0,
        sessions: [],
      });
      // Looking again changes nothing.
      expect(await world.look()).toEqual([incident]);
    }),

    about('a failure that several detectors see is one incident', async (world) => {
      const call = { ...DEAD_SERVICE, args: { method: 'GET', url: 'https://a.example/' } };
      for (const name of ['a', 'b', 'c']) await world.record(name, { ...call, error: '503 Bad' });
      expect(await world.look()).toMatchObject([{ sessions: 3, target: 'a.example' }]);
    }),

    about('twin: forty agents with unrelated failures are none', async (world) => {
      for (let i = 0; i < 40; i++) {
        await world.record(`agent-${i}`, ownFailure(i), { origin: originOf(i) });
        await world.record(`once-${i}`, DEAD_SERVICE, { times: 1, origin: originOf(i) });
      }
      expect(await world.look()).toEqual([]);
    }),

    about('twin: two sessions of one user, or three an hour apart, are none', async (world) => {
      const origin = { person: 'ana' };
      await world.record('one', DEAD_SERVICE, { origin });
      await world.record('two', DEAD_SERVICE, { origin });
      expect(await world.look()).toEqual([]);
      world.later(HOUR + MINUTE);
      await world.record('three', DEAD_SERVICE, { origin });
      expect(await world.look()).toEqual([]);
    }),

    about('two users make one, too', async (world) => {
      await world.record('one', DEAD_SERVICE, { origin: { person: 'ana' } });
      await world.record('two', DEAD_SERVICE, { origin: { person: 'bob' } });
      expect(await world.look()).toMatchObject([{ sessions: 2, users: 2 }]);
    }),

    about('three sessions of different causes are none', async (world) => {
      for (const [i, host] of ['one', 'two', 'three'].entries())
        await world.record(`s-${i}`, {
          ...DEAD_SERVICE,
          args: { method: 'POST', url: `https://${host}.example/` },
          error: `connect ECONNREFUSED ${host}.example:443`,
        });
      expect(await world.look()).toEqual([]);
    }),

    about('it grows, is resolved when nothing fails any more, and is reopened', async (world) => {
      const fail = async (names: readonly string[]): Promise<void> => {
        for (const name of names) await world.record(name, DEAD_SERVICE);
      };
      await fail(['a', 'b', 'c']);
      const [{ id }] = (await world.look()) as [Incident];
      world.later(29 * MINUTE);
      await fail(['d', 'e', 'f']);
      expect(await world.look()).toMatchObject([{ id, state: 'open', sessions: 6 }]);
      world.later(29 * MINUTE);
      expect(await world.look()).toMatchObject([{ id, state: 'open' }]);
      world.later(2 * MINUTE);
      const [resolved] = await world.look();
      expect(resolved).toMatchObject({ id, state: 'resolved', resolved: { at: world.now() } });
      expect(resolved!.resolved).not.toHaveProperty('by');
      world.later(DAY);
      await fail(['g', 'h']);
      expect(await world.look()).toMatchObject([{ id, state: 'resolved' }]);
      await fail(['i']);
      expect(await world.look()).toMatchObject([{ id, state: 'open', sessions: 9 }]);
      world.later(HOUR);
      await world.look();
      world.later(8 * DAY);
      await fail(['j', 'k', 'l']);
      expect(await world.look()).toMatchObject([
        { state: 'open', sessions: 3 },
        { id, state: 'resolved' },
      ]);
    }),

    about(
      'people acknowledge it, write about it without secrets, and resolve it',
      async (world) => {
        for (const name of ['a', 'b', 'c']) await world.record(name, DEAD_SERVICE);
        const [{ id }] = (await world.look()) as [Incident];
        const at = world.now();
        const { act, sessionsOf } = world.ledger.incidents!;
        expect(await act('no-such', { act: 'resolve', by: 'ana', at })).toBe(false);
        await act(id, { act: 'acknowledge', by: 'ana', at });
        await act(id, {
          act: 'note',
          by: 'bob',
          at,
          text: 'restarting it with sk-ant-api03-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
        });
        expect(await world.look()).toMatchObject([
          { state: 'acknowledged', acknowledged: { at, by: 'ana' }, notes: [{ at, by: 'bob' }] },
        ]);
        expect(JSON.stringify(await world.look())).not.toContain('aaaaaaaa');
        expect(await world.reports.incidents({ most: 5, states: ['open'] })).toEqual({
          incidents: [],
          states: { open: 0, acknowledged: 1, resolved: 0 },
        });
        world.later(1);
        await act(id, { act: 'resolve', by: 'ana', at: world.now() });
        expect(await world.look()).toMatchObject([
          { state: 'resolved', resolved: { at: world.now(), by: 'ana' } },
        ]);
        // What failed before it was resolved does not open it again.
        expect((await sessionsOf(id, 2))!.every((name) => 'abc'.includes(name))).toBe(true);
        expect(await sessionsOf('no-such', 2)).toBeUndefined();
      },
    ),

    about('its sessions can be listed, and what is forgotten is gone', async (world) => {
      for (const name of ['a', 'b', 'c']) await world.record(name, DEAD_SERVICE);
      await world.record('other', ownFailure(1));
      const [{ id }] = (await world.look()) as [Incident];
      const listed = async (): Promise<string[]> =>
        (await world.reports.sessions({ most: 10, incident: id })).sessions
          .map(({ session }) => session)
          .sort();
      expect(await listed()).toEqual(['a', 'b', 'c']);
      expect((await world.reports.incidents({ most: 1, id })).incidents).toHaveLength(1);
      for (const name of ['a', 'b', 'c']) await world.ledger.forget(name);
      expect(await listed()).toEqual([]);
      expect(await world.look()).toEqual([]);
    }),
  ];
}

interface World extends Omit<IncidentsUnderTest, 'close'> {
  now(): number;
  later(milliseconds: number): void;
  record(
    session: string,
    call: FailingCall,
    how?: { times?: number; origin?: EventOrigin },
  ): Promise<void>;
  look(): Promise<Incident[]>;
}
