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

const OWN_LISTS = /^(?:task|list|todo):/;

/** Whether a call is about a list that an agent keeps for itself. Its host shows it to it again. */
export const isOwnList = ({ target }: CallPrint): boolean => OWN_LISTS.test(target ?? '');

const COPIES = /^(?:cp|install|ln|mv)$/;

/** Whether a call puts a file back as it was, or removes it. */
export const isUndo = ({ verb, clears, tool }: CallPrint): boolean =>
  verb === 'write' && clears === 'target' && !COPIES.test(tool);

/** Whether two paths can name one file: one of them may begin further down. */
export const maySame = (a: string, b: string): boolean =>
  a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);
