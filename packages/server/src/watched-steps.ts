import { UnrutError } from '@unrut/engine/errors';
import { errorReason } from '@unrut/engine/redact/reason';
import { isOverQuota, type Recorded, type Recorder } from '@unrut/ledger/recorder';
import type { Log } from './log.ts';
import { metric } from './prometheus.ts';
import { remembered } from './remembered.ts';

/** A recorder whose transactions are measured, with a time limit. */
export interface WatchedSteps {
  recorder: Pick<Recorder, 'transaction'>;
  /** Watches another recorder together with the first. */
  watch(create: () => Recorder): Pick<Recorder, 'transaction'>;
  /**
   * Writes to the ledger in the same way as events do; returns the reason if that failed. At most
   * one attempt runs at a time, and one per second.
   */
  tryWrite(): Promise<string | undefined>;
  /** In the text format of Prometheus. */
  lines(): string[];
}

export interface WatchOptions {
  log: Log;
  /** Milliseconds after which a transaction is abandoned. Default: 20,000. */
  longest?: number;
}

const LONGEST = 20_000;
const SLOW = 1000;
/** Timeout of a trial write, and how long its result is reused, in milliseconds. */
const LONGEST_TRY = 2000;
const COUNTS_FOR = 1000;
/** The key of trial writes; it is not a session. */
const TRY_KEY = '\u0001ready';

/**
 * After a transaction that did not end, `create` makes a new recorder. The version of the state
 * prevents the old one from overwriting newer data.
 */
export function watchSteps(
  create: () => Recorder,
  { log, longest = LONGEST }: WatchOptions,
): WatchedSteps {
  const counts = { ok: 0, failed: 0, ended: 0 };
  let seconds = 0;
  let isReady = true;

  interface Watched {
    recorder: Recorder;
    create: () => Recorder;
  }

  async function watched<T>(
    which: Watched,
    work: (recorder: Recorder) => Promise<Recorded<T>>,
    most = longest,
  ): Promise<Recorded<T>> {
    const began = performance.now();
    const used = which.recorder;
    const timer = Promise.withResolvers<Recorded<T>>();
    const ending = setTimeout(() => {
      if (which.recorder === used) which.recorder = which.create();
      counts.ended++;
      log({
        event: 'ended',
        level: 'error',
        code: 'step',
        detail: `A step did not end within ${most} ms and was given up.`,
      });
      timer.resolve({
        entries: [],
        error: new UnrutError(
          'ledger-unusable',
          `A step did not end within ${most} ms and was given up.`,
        ),
      });
    }, most);
    const recorded = await Promise.race([work(used), timer.promise]);
    clearTimeout(ending);
    const milliseconds = Math.round(performance.now() - began);
    seconds += milliseconds / 1000;
    isReady = recorded.error === undefined || isOverQuota(recorded.error);
    counts[isReady ? 'ok' : 'failed']++;
    if (milliseconds >= SLOW) log({ event: 'slow', level: 'warn', code: 'step', milliseconds });
    if (!isReady)
      log({ event: 'fault', level: 'error', code: 'ledger', detail: errorReason(recorded.error) });
    return recorded;
  }

  const first: Watched = { recorder: create(), create };
  const tried = remembered(COUNTS_FOR, 1, async () => {
    const { error } = await watched(
      first,
      (used) =>
        used.transaction({ sessions: [], keys: [TRY_KEY] }, (step) => step.save(TRY_KEY, null)),
      LONGEST_TRY,
    );
    return error === undefined ? undefined : errorReason(error);
  });

  const watching = (which: Watched): Pick<Recorder, 'transaction'> => ({
    transaction: (about, work) => watched(which, (used) => used.transaction(about, work)),
  });

  return {
    recorder: watching(first),
    watch: (other) => watching({ recorder: other(), create: other }),
    tryWrite: () => tried(''),
    lines: () => [
      ...metric(
        'unrut_ready',
        'gauge',
        'Whether the last write to the ledger succeeded.',
        isReady ? 1 : 0,
      ),
      ...metric(
        'unrut_ledger_steps_total',
        'counter',
        'Steps of the ledger; ended ones did not end by themselves, and count as failed too.',
        Object.entries(counts).map(([result, count]) => [`{result="${result}"}`, count]),
      ),
      ...metric(
        'unrut_ledger_step_seconds_total',
        'counter',
        'Seconds that steps of the ledger took, with waiting for others.',
        seconds,
      ),
    ],
  };
}
