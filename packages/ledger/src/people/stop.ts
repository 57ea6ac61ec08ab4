import type { Plan } from '@unrut/engine/policy/plan';
import { changeSaid, readSaid, type SaidChange } from './said.ts';

/** Requests a stop of the session at its next call, if its host supports it. */
export const withStop =
  (session: string, at: number): SaidChange =>
  (said) => ({ ...said, stop: [...withoutStop(session)(said).stop, { session, at }] });

/** Removes the request, once performed or withdrawn. */
export const withoutStop =
  (session: string): SaidChange =>
  (said) => ({ ...said, stop: said.stop.filter((each) => each.session !== session) });

/**
 * Whether the user wants the session stopped. Consumes the request, so the caller must perform it.
 */
export function takeStop(ledgerPath: string, session: string, at: number): boolean {
  if (!readSaid(ledgerPath, at).stop.some((each) => each.session === session)) return false;
  changeSaid(ledgerPath, at, withoutStop(session));
  return true;
}

/** The plan that a host performs when the user stops a run. */
export const stopPlan = (session: string, at: number): Plan => ({
  id: `person/stop/${session}/${at}`,
  recovery: 'stop-run',
  rung: 'stop',
  reason: 'person/stop',
  toModel: 'A person has stopped this run. Do nothing more until they speak.',
  toHuman: 'Unrut: stopped, as somebody asked for on its page. Say something to go on.',
  budgetLeft: 0,
  streak: 'person',
});
