import { randomUUID } from 'node:crypto';
import { launchBrowser } from '@unrut/computer-use/launch-browser';
import { runTask } from '@unrut/computer-use/run-task';
import type { Task } from '@unrut/computer-use/task';
import { errorReason } from '@unrut/engine/redact/reason';
import type { Ledger } from '@unrut/ledger/ledger';
import {
  SCREEN_RESULT,
  type ScreenRunSums,
  screenRunSums,
} from '@unrut/ledger/reports/screen-runs';
import type { Page } from 'playwright-core';
import type { CuaAnswer } from '../api/answers.ts';
import type { AllowedHosts } from './allowed-hosts.ts';
import { startGatekeeper } from './gatekeeper.ts';

/** Which runs are allowed, and how many. */
export interface CuaOptions {
  hosts: AllowedHosts;
  /** Max number of concurrent runs. Default: 1. */
  atOnce?: number;
  /** Runs that may wait. Default: 10. */
  mostWaiting?: number;
  /** Max milliseconds of a run. Default: ten minutes. */
  longest?: number;
  /** The ledger to record runs in. Default: none. */
  ledger?: Pick<Ledger, 'update' | 'entries' | 'context'>;
  /** Ends all of them. */
  signal?: AbortSignal;
}

/** Computer-use runs, each in its own browser behind a gatekeeper. */
export interface CuaRuns {
  hosts: AllowedHosts;
  /**
   * Starts or queues a run; undefined if the queue is full. `problems` are those of its settings.
   */
  add(task: Task, problems?: readonly string[]): CuaAnswer | undefined;
  /** A run of this server, or a recorded run of an earlier one. */
  get(id: string): Promise<CuaAnswer | undefined>;
  /** The figures of all runs in the ledger. */
  sums(): Promise<ScreenRunSums>;
  /** When a run has ended. */
  ended(id: string): Promise<void>;
  /** Ends all runs, and waits until their browsers are closed. */
  close(): Promise<void>;
}

const TEN_MINUTES = 600_000;
/** Max number of ended runs that can still be queried. */
const MAX_KEPT = 50;
const MAX_REFUSED = 20;

interface Run {
  answer: CuaAnswer;
  task: Task;
  ended: Promise<void>;
  end: () => void;
}

const NOTHING: Pick<Ledger, 'context'> = { context: async () => [] };

/** The session name of a run in the ledger. */
const sessionOf = (id: string): string => `cua-${id}`;

/** A run of an earlier server, from the ledger. */
async function recorded(ledger: CuaOptions['ledger'], id: string): Promise<CuaAnswer | undefined> {
  const query = { session: sessionOf(id), topics: [SCREEN_RESULT] };
  const [entry] = (await ledger?.context(query)) ?? [];
  if (!entry) return undefined;
  const result = JSON.parse(entry.content) as NonNullable<CuaAnswer['result']>;
  const { steps, seconds } = result;
  const began = Math.round(entry.timestamp - 1000 * seconds);
  return {
    id,
    state: 'ended',
    asked: began,
    began,
    ended: entry.timestamp,
    steps,
    result,
    refused: [],
  };
}

/** Creates an empty set of runs; each gets its own gatekeeper. */
export function createCuaRuns(options: CuaOptions): CuaRuns {
  const { hosts, atOnce = 1, mostWaiting = 10, longest = TEN_MINUTES, signal } = options;
  const runs = new Map<string, Run>();
  const stop = new AbortController();
  signal?.addEventListener('abort', () => stop.abort(), { once: true });
  const inState = (state: CuaAnswer['state']): Run[] =>
    [...runs.values()].filter(({ answer }) => answer.state === state);

  /**
   * Records requests of a page that the gatekeeper refused. The browser's own background requests
   * are ignored.
   */
  function watched(page: Page, { refused }: CuaAnswer): Page {
    page.context().on('request', (request) => {
      const url = new URL(request.url());
      if (!/^https?:$/.test(url.protocol) || hosts.allowsUrl(url)) return;
      if (refused.length < MAX_REFUSED && !refused.includes(url.origin)) refused.push(url.origin);
    });
    return page;
  }

  async function work({ answer, task }: Run): Promise<void> {
    const gatekeeper = await startGatekeeper(hosts);
    try {
      const browser = await launchBrowser({ proxy: gatekeeper.url });
      try {
        answer.result = await runTask(task, {
          browser: { newPage: async (options) => watched(await browser.newPage(options), answer) },
          signal: AbortSignal.any([stop.signal, AbortSignal.timeout(longest)]),
          onStep: () => void answer.steps++,
          session: sessionOf(answer.id),
          ...(options.ledger ? { ledger: options.ledger } : {}),
        });
      } finally {
        await browser.close();
      }
    } finally {
      await gatekeeper.close();
    }
  }

  async function begin(run: Run): Promise<void> {
    const { answer } = run;
    Object.assign(answer, { state: 'running', began: Date.now() });
    try {
      await work(run);
      answer.state = 'ended';
    } catch (error) {
      Object.assign(answer, { state: 'failed', problem: errorReason(error) });
    }
    answer.ended = Date.now();
    run.end();
    forgetOldest();
    next();
  }

  function next(): void {
    const [waiting] = inState('queued');
    if (!waiting || inState('running').length >= atOnce) return;
    if (!stop.signal.aborted) void begin(waiting);
    else {
      Object.assign(waiting.answer, {
        state: 'failed',
        problem: 'the server was stopped before the run started',
        ended: Date.now(),
      });
      waiting.end();
      next();
    }
  }

  function forgetOldest(): void {
    const over = [...inState('ended'), ...inState('failed')].sort(
      (one, other) => one.answer.ended! - other.answer.ended!,
    );
    for (const { answer } of over.slice(0, Math.max(0, over.length - MAX_KEPT)))
      runs.delete(answer.id);
  }

  return {
    hosts,
    add(task, problems = []) {
      if (inState('queued').length >= mostWaiting || stop.signal.aborted) return undefined;
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      const answer: CuaAnswer = {
        id: randomUUID(),
        state: 'queued',
        asked: Date.now(),
        steps: 0,
        refused: [],
        ...(problems.length > 0 ? { problems: [...problems] } : {}),
      };
      runs.set(answer.id, { answer, task, ended, end });
      next();
      return answer;
    },
    get: async (id) => runs.get(id)?.answer ?? recorded(options.ledger, id),
    sums: () => screenRunSums(options.ledger ?? NOTHING),
    ended: async (id) => runs.get(id)?.ended,
    async close() {
      stop.abort();
      next();
      await Promise.all([...runs.values()].map(({ ended }) => ended));
    },
  };
}
