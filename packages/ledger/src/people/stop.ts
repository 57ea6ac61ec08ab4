import type { Plan } from '@unrut/engine/policy/plan';
import { changeSaid, readSaid, type SaidChange } from './said.ts';

/** The session is stopped at its next call, where its host can do that. */
export const withStop =
  (session: string, at: number): SaidChange =>
  (said) => ({ ...said, stop: [...withoutStop(session)(said).stop, { session, at }] });

/** It has been stopped, or is not to be any more. */
export const withoutStop =
  (session: string): SaidChange =>
  (said) => ({ ...said, stop: said.stop.filter((each) => each.session !== session) });

/** Whether a person wants the session stopped. Whoever asks has to do it: it is asked for once. */
export function takeStop(ledgerPath: string, session: string, at: number): boolean {
  if (!readSaid(ledgerPath, at).stop.some((each) => each.session === session)) return false;
  changeSaid(ledgerPath, at, withoutStop(session));
  return true;
}

/** What a host performs for a person who stops a run. */
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
