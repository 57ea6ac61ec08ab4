import type { CallPrint } from '../prints.ts';

/** What an answer depends on. */
export interface Depends {
  target: string | null;
  wide: boolean;
}

/** Whether a call that went through could have changed what another one answers. */
export function mayChange(by: CallPrint, of: Depends): boolean {
  if (by.effect === 'none') return false;
  if (by.effect === 'any') return true;
  if (by.target !== null && by.target === of.target) return true;
  // A tool of unknown effect counts only for its own target; a write also for answers that depend on many.
  return by.verb === 'write' && (of.wide || of.target === null);
}
