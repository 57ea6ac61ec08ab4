import type { MiddlewareHandler } from 'hono';
import type { Log } from './log.ts';

export interface LeaveHanging {
  /** Tries to write to the ledger; returns the reason if that failed. Has its own timeout. */
  tryWrite(): Promise<string | undefined>;
  log: Log;
  /** Milliseconds that a hook may take. Default: 2,000. */
  longest?: number;
  /** Is aborted when the server ends. */
  signal?: AbortSignal | undefined;
}

const LONGEST = 2000;
/** Milliseconds between two tries. */
const PAUSE = 1000;
const HOOKS = '/v1/hooks/';

/**
 * Protects agents from a hanging ledger: after one hook that took too long, hooks return nothing
 * immediately until a write succeeds. Their events are not recorded.
 */
export function leaveHanging({
  tryWrite,
  log,
  longest = LONGEST,
  signal,
}: LeaveHanging): MiddlewareHandler {
  let isHanging = false;

  async function waitForLedger(): Promise<void> {
    isHanging = true;
    log({
      event: 'hooks',
      level: 'warn',
      detail: 'The ledger hangs: hooks say nothing until it can be written again.',
    });
    while ((await tryWrite()) !== undefined && !signal?.aborted)
      await new Promise((resolve) => setTimeout(resolve, PAUSE).unref());
    isHanging = false;
    log({
      event: 'hooks',
      level: 'info',
      detail: 'The ledger can be written: hooks are answered.',
    });
  }

  return async (context, next) => {
    if (!context.req.path.startsWith(HOOKS)) return next();
    if (isHanging) return context.json({});
    const timer = Promise.withResolvers<true>();
    const ending = setTimeout(() => timer.resolve(true), longest);
    const isLate = await Promise.race([next().then(() => false), timer.promise]);
    clearTimeout(ending);
    if (!isLate) return undefined;
    if (!isHanging) void waitForLedger();
    return context.json({});
  };
}
