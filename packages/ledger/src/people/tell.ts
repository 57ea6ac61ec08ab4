import { hash64 } from '@unrut/engine/hash';
import type { Plan } from '@unrut/engine/policy/plan';
import { redact } from '@unrut/engine/redact/redact';
import { cut, printable } from '@unrut/engine/text/printable';
import { changeSaid, readSaid, type Said, type SaidChange, type ToldAll } from './said.ts';

/** Characters of what a person says to agents. */
const MAX_TEXT = 500;

/** What a person has typed, as agents are to read it. */
export const tellable = (text: string): string => cut(printable(redact(text)).trim(), MAX_TEXT);

/** Each of the sessions is told with its next result, where its host can do that. */
export const withTold =
  (sessions: readonly string[], text: string, at: number): SaidChange =>
  (said) => ({ ...said, told: [...said.told, { sessions: [...sessions], text, at }] });

/** What a session is to be told. */
export const toldTo = ({ told }: Said, session: string): readonly ToldAll[] =>
  told.filter(({ sessions }) => sessions.includes(session));

/** It has been told. */
export const withoutTold =
  (session: string): SaidChange =>
  (said) => ({
    ...said,
    told: said.told.flatMap((each) => {
      const sessions = each.sessions.filter((other) => other !== session);
      return sessions.length > 0 ? [{ ...each, sessions }] : [];
    }),
  });

/** What a session is to be told. Whoever asks has to tell it: it is said once. */
export function takeTold(ledgerPath: string, session: string, at: number): readonly ToldAll[] {
  const told = toldTo(readSaid(ledgerPath, at), session);
  if (told.length > 0) changeSaid(ledgerPath, at, withoutTold(session));
  return told;
}

/** What a host performs for a person who says something to many agents. */
export const tellPlan = (session: string, { text, at }: ToldAll): Plan => ({
  id: `person/tell/${hash64(text)}/${at}/${session}`,
  recovery: 'tell-all',
  rung: 'note',
  reason: 'person/tell',
  toModel: `A person who looks after this and other agents says: ${text}`,
  toHuman: `Unrut passed on what a person says to all agents of an incident: ${text}`,
  budgetLeft: 0,
  streak: 'person',
});
