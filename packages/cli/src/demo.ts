import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AgentEvent, RUNGS } from '@unrut/engine/event';
import type { Ledger } from '@unrut/ledger/ledger';
import { createRecorder, type Recorder } from '@unrut/ledger/recorder';
import { readRoadmap, runRoadmap } from '@unrut/tasks';
import { startRunState } from '@unrut/tasks/run/run-state';
import { RunStore } from '@unrut/tasks/run/run-store';
import { stringify } from 'yaml';
import { fleetOn, outage } from './demo-fleet.ts';
import {
  DEMO_OUTPUTS,
  DEMO_ROADMAP,
  DEMO_SESSIONS,
  type DemoCall,
  type DemoSession,
} from './demo-sessions.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Milliseconds between two calls of an agent that is played live, and before it begins again. */
const PACE = 2000;
const REST = MINUTE;
/** The same in an outage, which began some minutes ago. */
const OUTAGE = { pace: 25_000, rest: 10 * MINUTE, began: 4 * MINUTE };
/** An agent that ignores advice gives up after this many calls. */
const MAX_STUCK = 60;
const CAN = ['note', 'hint', 'block', 'escalate', 'stop'] as const;
const COST = { tokens: 3100, usd: 0.021 };

/**
 * Returns the time of each call: live, the clock after a pause; for past sessions, a fixed
 * increment.
 */
type Tempo = () => Promise<number>;

/** A ledger of its own for `unrut serve --demo`, which is gone afterwards. */
export function openDemo(): { path: string; folder: string; close(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'unrut-demo-'));
  return {
    path: join(folder, 'ledger.db'),
    folder,
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * Plays recorded sessions into a ledger: some days of the past at once, then agents and a roadmap
 * live, until the signal ends it.
 */
export async function playDemo(ledger: Ledger, folder: string, signal: AbortSignal): Promise<void> {
  const recorder = createRecorder(ledger, { can: CAN });
  const now = Date.now();
  /** Plays at once whatever should have happened by now. */
  const catchUp = (from: number, pace: number): Tempo => {
    let at = from;
    return async () => {
      at += pace;
      if (at > Date.now()) await sleep(at - Date.now(), undefined, { signal });
      return at;
    };
  };
  const live: Tempo = async () => {
    await sleep(PACE, undefined, { signal });
    return Date.now();
  };
  const hit = outage().map(async (session, i) => {
    for (let round = 0; !signal.aborted; round++) {
      const from = (round === 0 ? now - OUTAGE.began : Date.now()) + i * 500;
      await playSession(
        recorder,
        session,
        `outage-${round + 1}-${i + 1}`,
        catchUp(from, OUTAGE.pace),
      );
      await sleep(OUTAGE.rest, undefined, { signal });
    }
  });
  const agents = DEMO_SESSIONS.map(async (session, i) => {
    for (let round = 0; !signal.aborted; round++) {
      await playSession(recorder, session, `demo-${i + 1}-${round + 1}`, live);
      await sleep(REST, undefined, { signal });
    }
  });
  await Promise.all(
    [...hit, ...agents, playRoadmap(ledger, folder, live), playPast(ledger, now)].map((playing) =>
      playing.catch(() => undefined),
    ),
  );
}

/** Sessions of the last days, to compare: by release, repository and arm of a trial. */
export async function playPast(ledger: Ledger, now: number): Promise<void> {
  const recorder = createRecorder(ledger, { can: CAN, trial: { share: 0.5 } });
  for (let day = 1; day <= 6; day++)
    await Promise.all(
      fleetOn(day).map((session, i) => {
        let at = now - day * DAY + i * 20 * MINUTE;
        return playSession(recorder, session, `fleet-${day}-${i + 1}`, async () => {
          at += 7000;
          return at;
        });
      }),
    );
}

/**
 * Plays a session to a guard as a host does: blocked calls do not run, and each plan is reported as
 * performed.
 */
export async function playSession(
  recorder: Recorder,
  played: DemoSession,
  session: string,
  tempo: Tempo,
): Promise<void> {
  const { host, folder, origin, asked, before, stuck, heeds, lasts, after } = played;
  const from = { origin: { ...origin, host, folder } };
  let [highest, count] = [-1, 0];

  async function tell(event: Record<string, unknown>, at: number): Promise<boolean> {
    const told = { ...event, session, at } as unknown as AgentEvent;
    const { value } = await recorder.record([told], from);
    const plan = value?.[0]?.plan;
    if (!plan) return false;
    highest = Math.max(highest, RUNGS.indexOf(plan.rung));
    await recorder.record(
      [{ type: 'plan-performed', session, at, plan: plan.id, rung: plan.rung }],
      from,
    );
    return plan.rung === 'block';
  }

  async function call([tool, args, result, exit]: DemoCall): Promise<void> {
    const at = await tempo();
    const made = { call: { id: `c${++count}`, tool, args } };
    const isRefused = await tell({ type: 'call-proposed', ...made }, at);
    const came = isRefused
      ? { refusedBy: 'unrut', result: 'refused' }
      : { result, cost: COST, ...failureOf(result, exit) };
    await tell({ type: 'call-finished', ...made, ...came }, at + 1);
  }

  await tell({ type: 'user-spoke', text: asked }, await tempo());
  for (const each of before) await call(each);
  const enough = heeds === 'never' ? RUNGS.length : RUNGS.indexOf(heeds);
  const most = stuck.length > 0 ? (lasts ?? MAX_STUCK) : 0;
  for (let i = 0; i < most && highest < enough; i++) await call(stuck[i % stuck.length]!);
  for (const each of after) await call(each);
  const outcome = highest === RUNGS.indexOf('stop') ? 'stopped' : 'done';
  await tell({ type: 'session-ended', outcome }, (await tempo()) + 1);
}

const failureOf = (result: string, exit: DemoCall[3]): object =>
  exit === 'error' ? { error: result } : exit === undefined ? {} : { exitCode: exit };

async function playRoadmap(ledger: Ledger, folder: string, tempo: Tempo): Promise<void> {
  const file = 'roadmap.yaml';
  writeFileSync(join(folder, file), stringify(DEMO_ROADMAP));
  const run = `run-demo-${Date.now()}`;
  const state = startRunState('roadmap', { folder, file, args: [file], command: ['agent'] });
  const store = new RunStore(ledger, run, state, {}, () => undefined as never);
  await store.observe({ type: 'iteration-started', session: run, at: Date.now(), iteration: 0 });
  const { ending, reason } = await runRoadmap({
    roadmap: readRoadmap(DEMO_ROADMAP),
    ledger,
    run,
    folder,
    runAgent: async (_, { task }) => {
      await tempo();
      return { output: DEMO_OUTPUTS[task.id] ?? '', exitCode: 0, cost: COST };
    },
  });
  Object.assign(state, { ending: ending === 'nothing-to-do' ? 'escalated' : ending, reason });
  await store.observe({ type: 'session-ended', session: run, at: Date.now(), outcome: ending });
}
