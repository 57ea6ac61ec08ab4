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
  /** The folder for the trajectory. Default: not saved. */
  folder?: string;
  /** Records the run for `unrut stats` and the dashboard. Default: not recorded. */
  ledger?: Pick<Ledger, 'update' | 'entries'>;
  /** The session name in the ledger. Default: a random name. */
  session?: string;
  /** Called at the end if the ledger is incomplete, with the reason. */
  onUnrecorded?(why: string): void;
  /** Switched off in addition to the task's own list. */
  off?: readonly Switch[];
  /** An open browser to use; it stays open. Default: a new one for the run. */
  browser?: Pick<Browser, 'newPage'>;
  headed?: boolean;
}

/** Runs a task in a browser, from its address to its end. */
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
