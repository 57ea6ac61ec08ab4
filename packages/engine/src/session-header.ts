import { hash64 } from './hash.ts';

/**
 * A load balancer can use this header to send all requests of a session to the server that has its
 * state in memory.
 */
export const SESSION_HEADER = 'x-unrut-session';

/** Identifies a session without revealing its name. */
export const sessionHash = (session: string): string => hash64(session);
