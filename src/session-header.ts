import { hash64 } from './hash.ts';

/** By which a load balancer sends all requests of a session to one server, which has its state at hand. */
export const SESSION_HEADER = 'x-unrut-session';

/** Tells sessions apart without naming them. */
export const sessionHash = (session: string): string => hash64(session);
