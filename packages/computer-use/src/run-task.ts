import { randomUUID } from 'node:crypto';
import { UnrutError } from '@unrut/engine/errors';
import type { Ledger } from '@unrut/ledger/ledger';
import { createRecorder } from '@unrut/ledger/recorder';
import { screenRunEntries } from '@unrut/ledger/reports/screen-runs';
import type { Browser } from 'playwright-core';
import { launchBrowser } from './launch-browser.ts';
import { createRunner, type RunnerOptions } from './runner.ts';
import { openTrajectoryFolder } from './save-trajectory.ts';
import { screenGuardOptions } from './screen-guard.ts';
import { readSwitches, type Switch } from './switches.ts';
import { createBrain, type Task } from './task.ts';
import type { ScreenRunResult } from './trajectory.ts';

export interface RunTaskOptions
  extends Pick<
    RunnerOptions,
    'signal' | 'guard' | 'environment' | 'escalate' | 'director' | 'patience' | 'onStep'
  > {
  /** Where the trajectory is kept; nowhere without it. */
  folder?: string;
  /**
   * Records what was seen and done, for `unrut stats` and the dashboard. Default: nothing is
   * recorded.
   */
  ledger?: Pick<Ledger, 'update' | 'entries'>;
  /** What it is called there. Default: a random name. */
  session?: string;
  /** Told at the end why the ledger has not got everything. */
  onUnrecorded?(why: string): void;
  /** Switched off beside what the task switches off. */
  off?: readonly Switch[];
  /** A browser that is already open; it stays open. Default: one is started for the run. */
  browser?: Pick<Browser, 'newPage'>;
  headed?: boolean;
}

/** Runs a task in a browser of its own, from its address to its end. */
export async function runTask(task: Task, options: RunTaskOptions = {}): Promise<ScreenRunResult> {
  const {
    folder,
    off: more = [],
    ledger,
    onUnrecorded,
    browser,
    headed = false,
    onStep,
    session = `cua-${randomUUID().slice(0, 8)}`,
    ...rest
  } = options;
  const off = [...task.off, ...more];
  const guard =
    ledger && createRecorder(ledger, screenGuardOptions(readSwitches(off, options.environment)));
  const kept = folder === undefined ? null : await openTrajectoryFolder(folder);
  const brain = createBrain(task.brain);
  const own = browser ? null : await launchBrowser({ headed });
  try {
    const page = await (browser ?? own!).newPage({ viewport: task.viewport });
    try {
      await page.goto(task.url).catch((error: Error) => {
        throw new UnrutError(
          'unreachable',
          `[computer-use] Cannot open ${task.url}: ${error.message.split('\n', 1)[0]}`,
          {
            cause: error,
          },
        );
      });
      const { url: _, brain: __, viewport: ___, ...settings } = task;
      const result = await createRunner({
        ...(guard ? { guard, session } : {}),
        ...rest,
        ...settings,
        off,
        brain,
        page,
        ...(kept ? { onEnd: kept.onEnd } : {}),
        async onStep(step, screenshot) {
          await kept?.onStep(step, screenshot);
          await onStep?.(step, screenshot);
        },
      }).run();
      const at = Date.now();
      const ended = await guard?.observe({
        type: 'session-ended',
        session,
        at,
        outcome: result.termination_reason,
      });
      await guard?.transaction({ sessions: [], keys: [] }, (step) =>
        step.add({ context: screenRunEntries(session, at, result) }),
      );
      const unrecorded = ended?.faults.find(({ where }) => where === 'ledger');
      if (unrecorded) onUnrecorded?.(unrecorded.message);
      await kept?.finish(result);
      return result;
    } finally {
      await page.close().catch(() => {});
    }
  } finally {
    await own?.close();
  }
}
