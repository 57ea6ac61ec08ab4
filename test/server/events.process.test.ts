import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LedgerEntry } from '@unrut/ledger/ledger';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { describe, expect, test, vi } from 'vitest';
import { createGuard, createMemoryLedger } from '../../packages/cli/src/index.ts';
import { LOOPING } from '../hosts/looping-host.ts';
import { newPath } from '../ledger-files.ts';
import { places, SECRETS } from '../planted-secrets.ts';
import { keptSteps } from './kept-steps.ts';
import { ask } from './request.ts';
import { lookup, served, tellEvents } from './served.ts';

const looks = (count: number, changes: object = {}) =>
  Array.from({ length: count }, (_, i) => lookup(i, changes));

/** What the guard in this process says of them. */
const expected = (count: number, changes: object = {}, shadow = false) => {
  const guard = createGuard({ shadow, attended: false });
  return looks(count, changes).map((event) => {
    const { seen: _, witnesses: __, ...verdict } = guard.observe(event);
    return verdict;
  });
};

describe('events over HTTP', () => {
  test.each<[string, (events: object[]) => string, Record<string, string>]>([
    ['a list', (events) => JSON.stringify(events), {}],
    ['an object with a list', (events) => JSON.stringify({ events }), {}],
    [
      'a line for each',
      (events) => `${events.map((event) => JSON.stringify(event)).join('\n')}\n`,
      { 'content-type': 'application/x-ndjson' },
    ],
  ])('have the verdicts of the guard, as %s', async (_, write, headers) => {
    const { url } = await served(newPath());
    const { text } = await ask(`${url}/v1/events`, { body: write(looks(8)), headers });
    expect(JSON.parse(text)).toEqual({ verdicts: expected(8) });
  });

  test('have the verdicts of the guard one by one, and many at once', async () => {
    const { url, ledger } = await served(newPath());
    const alone = [];
    for (const event of looks(8)) alone.push(...(await tellEvents(url, event)));
    expect(alone).toEqual(expected(8));
    const sessions = Array.from({ length: 20 }, (_, n) => ({ session: `s${n}` }));
    const together = await Promise.all(
      sessions.map((session) => tellEvents(url, looks(8, session))),
    );
    for (const verdicts of together) expect(verdicts).toEqual(expected(8));
    expect((await ledger.sessions()).map(({ events }) => events)).toEqual(Array(21).fill(8));
  });

  test.each([
    ['what only a person can provide', 'missing auth token', ['escalate', null, null]],
    ['twin: what can be worked around', 'critic unavailable', [null, null, 'note']],
  ])('about attempts at a task are judged: %s', async (_, blocker, rungs) => {
    const { url } = await served(newPath());
    const attempts = [0, 1, 2].map((i) => ({
      type: 'task-attempted',
      session: 'nightly',
      at: 1_794_800_000_000 + i * 60_000,
      task: 'T8',
      status: 'blocked',
      blockers: [blocker],
      work: [],
      attemptSession: `s${i}`,
    }));
    const verdicts = await tellEvents(url, attempts);
    expect(verdicts.map(({ plan }) => plan?.rung ?? null)).toEqual(rungs);
  });

  test('are answered once all of them are kept', async () => {
    const { url, ledger } = await served(newPath());
    await tellEvents(url, looks(5));
    expect(await keptSteps(ledger, 's')).toBe(5);
    expect((await ledger.entries({ kind: 'event' })).length).toBe(5);
    expect((await ledger.entries({ kind: 'signal' })).length).toBeGreaterThan(0);
  });

  test('that are broken get a fault of their own, and the others count', async () => {
    const { url, ledger } = await served(newPath());
    const verdicts = await tellEvents(url, [
      lookup(0),
      { type: 'no-such-type' },
      null,
      lookup(1, { call: 'c1' }),
      lookup(2),
    ]);
    expect(
      verdicts.map(({ faults }) =>
        faults.map(({ where, message }) => `${where}: ${message.slice(0, 26)}`),
      ),
    ).toEqual([
      [],
      ['event: expected a type of call-pr'],
      ['event: expected an event object, '],
      ['event: call-finished: the field c'],
      [],
    ]);
    expect((await ledger.entries({ kind: 'event' })).length).toBe(2);
    const { text } = await ask(`${url}/v1/events`, {
      body: `{"type":\n${JSON.stringify(lookup(3))}`,
      headers: { 'content-type': 'application/x-ndjson' },
    });
    expect(
      JSON.parse(text).verdicts.map(({ faults }: { faults: unknown[] }) => faults.length),
    ).toEqual([1, 0]);
  });

  test('may have fields that are null', async () => {
    const { url, ledger } = await served(newPath());
    const [verdict] = await tellEvents(
      url,
      lookup(0, { agent: null, parent: null, id: null, cost: null }),
    );
    expect(verdict!.faults).toEqual([]);
    expect((await ledger.entries()).length).toBe(1);
  });

  test('only record with ?shadow=1', async () => {
    const { url } = await served(newPath());
    expect(await tellEvents(url, looks(8), '?shadow=1')).toEqual(expected(8, {}, true));
  });

  test('are answered with what the sender can do', async () => {
    const { url } = await served(newPath());
    const plans = (await tellEvents(url, looks(9), '?can=note,escalate')).map(
      ({ plan }) => plan?.rung ?? null,
    );
    expect(new Set(plans)).toEqual(new Set([null, 'note', 'escalate']));
    // The same session continues under other rules.
    expect((await tellEvents(url, lookup(9), '?can=stop'))[0]!.step).toBe(9);
  });

  test.each<[string, string, string, number, string]>([
    ['no JSON', '', '{"type":', 400, 'malformed'],
    ['nothing', '', '', 400, 'malformed'],
    ['an unknown ability', '?can=note,fly', '[]', 400, 'malformed'],
    [
      'more than a thousand events',
      '',
      JSON.stringify(Array(1001).fill(lookup(0))),
      413,
      'too-many',
    ],
  ])('refuse %s', async (_, query, body, status, code) => {
    const { url, ledger } = await served(newPath());
    const answer = await ask(`${url}/v1/events${query}`, { body });
    expect({ status: answer.status, code: JSON.parse(answer.text).error.code }).toEqual({
      status,
      code,
    });
    expect(await ledger.entries()).toEqual([]);
  });

  test('are refused when the ledger cannot be used, and count once when they are sent again', async () => {
    const ledger = createMemoryLedger();
    let isFull = true;
    const failing: typeof ledger = {
      ...ledger,
      update: (sessions, change) =>
        ledger.update(sessions, (saved) => {
          const changed = change(saved);
          if (isFull) throw new Error('the disk is full');
          return changed;
        }),
    };
    const { url } = await served('', { ledger: failing });
    const { status, text } = await ask(`${url}/v1/events`, { body: JSON.stringify(looks(3)) });
    expect([status, JSON.parse(text).error.code]).toEqual([503, 'ledger-unusable']);
    isFull = false;
    expect(await tellEvents(url, looks(3))).toEqual(expected(3));
  });

  test('are kept in a new ledger when theirs was deleted', async () => {
    const path = newPath();
    const { url } = await served(path);
    await tellEvents(url, looks(3));
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix);
    expect((await tellEvents(url, [lookup(3), lookup(4)])).map(({ step }) => step)).toEqual([0, 1]);
    const beside = createSqliteLedger({ path });
    expect((await beside.sessions()).map(({ events }) => events)).toEqual([2]);
    await beside.close();
  });

  test('of a session that reports to another reach that one', async () => {
    const { url } = await served(newPath());
    await tellEvents(url, looks(4, { session: 'child', parent: 'parent' }));
    const [verdict] = await tellEvents(url, {
      type: 'user-spoke',
      session: 'parent',
      at: lookup(20).at,
    });
    expect(verdict!.signals.map(({ agent }) => agent)).toContain('child');
  });

  test('notify once of an escalation', async () => {
    const told: unknown[] = [];
    const listener = createServer(async (request, response) => {
      told.push(JSON.parse((await request.toArray()).join('')));
      response.end();
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const webhook = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
    const { url } = await served(newPath(), {
      settingsIn: () => ({ guard: {}, notify: { webhook } }),
    });
    const rungs = (await tellEvents(url, looks(9), '?can=note')).map(({ plan }) => plan?.rung);
    expect(rungs.filter((rung) => rung === 'escalate')).toHaveLength(1);
    await tellEvents(url, looks(9), '?can=note');
    await vi.waitFor(
      () => expect(told).toEqual([expect.objectContaining({ rung: 'escalate', session: 's' })]),
      { timeout: 60_000 },
    );
    listener.close();
  });

  test('share a session with hooks', async () => {
    const { url, ledger } = await served(newPath());
    const { before, after } = LOOPING['claude-code'];
    const hook = (payload: object) =>
      ask(`${url}/v1/hooks/claude-code`, { body: JSON.stringify(payload) });
    await hook(before(0));
    const { session } = (await ledger.sessions())[0]!;
    const memory = async () => ((await ledger.loadState(session)) as { memory: unknown[] }).memory;
    const remembered = await memory();
    await tellEvents(url, lookup(0, { session }));
    expect(await memory()).toEqual(remembered);
    for (const payload of after(0)) await hook(payload);
    expect(await keptSteps(ledger, session)).toBe(2);
  });

  test('leave no secret in the ledger or the answer', async () => {
    const { url, ledger } = await served(newPath());
    const answers: unknown[] = [];
    for (const [place, make] of Object.entries(places)) {
      for (const [kind, secret] of Object.entries(SECRETS)) {
        const events = Array.from({ length: 6 }, (_, i) => ({
          session: `${place}, ${kind}`,
          at: i * 5000,
          ...make(secret, i),
        }));
        answers.push(await tellEvents(url, events));
      }
    }
    for (const field of ['refusedBy', 'cost', 'speaker', 'batch', 'outcome'])
      answers.push(
        await tellEvents(
          url,
          lookup(0, { [field]: field === 'cost' ? { usd: secrets[0] } : secrets[0] }),
        ),
      );
    const states = await Promise.all(
      (await ledger.sessions()).map(({ session }) => ledger.loadState(session)),
    );
    const kept: LedgerEntry[] = await ledger.entries();
    expect(kept.length).toBeGreaterThan(400);
    for (const secret of secrets)
      expect(JSON.stringify([answers, states, kept])).not.toContain(secret);
  });
});

const secrets = Object.values(SECRETS);
