import { UnrutError } from '../errors.ts';

/** Exit codes, the same in every command. */
export const EXIT = { ok: 0, loops: 1, unreadable: 2, usage: 64 } as const;

/** The command line itself was wrong. */
export const usageError = (message: string): UnrutError => new UnrutError('usage', message);
