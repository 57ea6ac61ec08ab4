import { Agent, request } from 'node:http';
import { join } from 'node:path';
import type { AgentEvent } from '@unrut/engine/event';
import { idsUnder } from '@unrut/ledger/record';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { expect, test } from 'vitest';
import { bundledPrograms } from '../bundled-programs.ts';
import { casesOf } from '../full-runs.ts';
import { newFolder } from '../ledger-files.ts';
import { keptSteps } from './kept-steps.ts';
import { lookup, startProgram } from './served.ts';

const KILLS = casesOf(50);
const CONNECTIONS = 8;
const SESSIONS = 5;

const { cli } = bundledPrograms();

/** Whether the events were acknowledged. */
function send(url: string, agent: Agent, events: readonly AgentEvent[]): Promise<boolean> {
  return new Promise((resolve) => {
    const asking = request(`${url}/v1/events`, { method: 'POST', agent }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.complete && response.statusCode === 200));
      response.on('error', () => resolve(false));
    });
    asking.on('error', () => resolve(false));
    asking.end(JSON.stringify(events));
  });
}

/** Endless events of a few sessions; those that were not acknowledged come first again. */
function createSource() {
  let made = 0;
  const again: AgentEvent[] = [];
  const next = (): AgentEvent => {
    const i = made++;
    return lookup(i, {
      session: `s${i % SESSIONS}`,
      result: `Order ${i} was shipped on day ${i}.`,
    });
  };
  return {
    /** One in two requests has one event, the others have up to twenty. */
    take(dice: number): AgentEvent[] {
      const count = dice % 2 === 0 ? 1 : 1 + (dice % 20);
      return Array.from({ length: count }, () => again.shift() ?? next());
    },
    rest: () => again.splice(0),
    giveBack: (events: readonly AgentEvent[]) => void again.push(...events),
    made: () => made,
  };
}

/** Numbers that look random and are the same in every run. */
function createDice(): () => number {
  let state = 20_261_116;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 8;
  };
}

test(`what was acknowledged is there once, after ${KILLS} times kill -9 under load`, async () => {
  const home = newFolder();
  const source = createSource();
  const dice = createDice();
  const acknowledged = new Set<string>();

  for (let kill = 0; kill < KILLS; kill++) {
    const server = await startProgram(cli, home);
    const agent = new Agent({ keepAlive: true });
    let left = 1 + (dice() % 30);
    let isOver = false;
    let dying: Promise<void> | undefined;
    const die = async (): Promise<void> => {
      // Somewhere between two requests, or in the middle of a step of the ledger.
      for (let turns = dice() % 40; turns > 0; turns--)
        await new Promise((resolve) => setImmediate(resolve));
      await server.kill();
      isOver = true;
    };
    const connection = async (): Promise<void> => {
      while (!isOver) {
        const events = source.take(dice());
        if (await send(server.url, agent, events)) {
          for (const { id } of events) acknowledged.add(id!);
          if (--left === 0) dying = die();
        } else source.giveBack(events);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, connection));
    await dying;
    agent.destroy();
  }

  const server = await startProgram(cli, home);
  const unacknowledged = source.rest();
  const agent = new Agent({ keepAlive: true });
  for (let from = 0; from < unacknowledged.length; from += 100)
    expect(await send(server.url, agent, unacknowledged.slice(from, from + 100))).toBe(true);
  agent.destroy();
  await server.kill();

  expect(unacknowledged.length).toBeGreaterThan(0);
  expect(acknowledged.size).toBeGreaterThan(KILLS);
  const ledger = createSqliteLedger({ path: join(home, 'ledger.db') });
  const recorded = (await ledger.entries({ kind: 'event' })).map(({ id }) => id);
  const sent = Array.from(
    { length: source.made() },
    (_, i) => `${idsUnder(lookup(i, { session: `s${i % SESSIONS}` }), '')}event`,
  );
  expect(recorded.toSorted()).toEqual(sent.toSorted());
  const sessions = await ledger.sessions();
  expect(sessions.length).toBe(SESSIONS);
  for (const { session, events } of sessions) expect(await keptSteps(ledger, session)).toBe(events);
  await ledger.close();
});
