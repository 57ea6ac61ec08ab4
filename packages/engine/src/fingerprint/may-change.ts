import type { CallPrint } from '../prints.ts';

/** What a result depends on. */
export interface Depends {
  target: string | null;
  wide: boolean;
}

/** Whether a successful call could have changed the result of another one. */
export function mayChange(by: CallPrint, of: Depends): boolean {
  if (by.effect === 'none') return false;
  if (by.effect === 'any') return true;
  if (by.target !== null && by.target === of.target) return true;
  // A tool of unknown effect affects only its own target. A write also affects results that depend
  // on many targets.
  return by.verb === 'write' && (of.wide || of.target === null);
}
