import { anObject, aText, oneOf } from '@unrut/engine/schema/kinds';
import { tellable, withTold } from '@unrut/ledger/people/tell';
import { counted } from '@unrut/ledger/report/figures';
import { notAdmin, obeys, tellActed } from './act-route.ts';
import { incidentActedSchema } from './answers/incidents.ts';
import { incidentNamed } from './api/incident-routes.ts';
import type { Acting, Looking } from './api/look-routes.ts';
import type { LedgerReading } from './api/reading.ts';
import { malformed, Refusal, unknown } from './problem.ts';
import { actorOf } from './protect.ts';
import { routesOf } from './route/route.ts';
import { text as aWord, explained, maybe, named } from './route/schema-words.ts';

/** The actions on an incident, with their messages. */
const DONE = {
  acknowledge: 'Acknowledged.',
  resolve: 'Resolved. If its cause is back within 7 days, it is reopened.',
  note: 'Noted.',
} as const;
const ACTS = [...(Object.keys(DONE) as (keyof typeof DONE)[]), 'tell'] as const;

/** Agents of an incident that are told something. */
const MAX_TOLD = 1000;

/** Has all agents of an incident told, as far as their programs pass it on. Gives what to say of it. */
async function tellAll(
  { said }: Acting,
  { reports, now }: LedgerReading,
  { id, text }: { id: string; text: string },
): Promise<string> {
  const { sessions } = await reports.sessions({ most: MAX_TOLD, incident: id });
  const running = sessions.filter(({ state }) => state !== 'ended');
  const able = running.filter(({ host }) => obeys(host, 'note'));
  if (able.length === 0)
    throw new Refusal(
      409,
      'cannot-tell',
      'None of its agents runs in a program that passes it on.',
    );
  const names = able.map(({ session }) => session);
  await said.change(now(), withTold(names, text, now()));
  const others = running.length - able.length;
  return `${counted(able.length, 'agent')} will read it with the next result.${
    others > 0 ? ` ${counted(others, 'other')} cannot be told by Unrut.` : ''
  }`;
}

/** `POST /v1/incidents/:id`: users' actions on an incident. */
export const incidentActRoute = routesOf<Looking>({
  tag: 'act',
  scope: 'admin',
  isOfProject: true,
}).post('/v1/incidents/:id', {
  id: 'actOnIncident',
  summary:
    'Acknowledge or resolve an incident, write a note about it, or tell all of its agents something.',
  params: { id: aWord('The id of the incident.') },
  body: named(
    'IncidentAct',
    anObject({
      act: oneOf(ACTS),
      text: maybe(
        explained(aText(), 'To note or to tell: up to 500 characters; secrets are masked.'),
      ),
    }),
  ),
  answer: incidentActedSchema,
  refuses: { 404: 'No such incident.', 409: 'None of its agents can be told.' },
  async handle({ params: { id }, body: { act, text = '' }, context }, { reading, actingOn }) {
    const isText = act === 'note' || act === 'tell';
    if (isText && text.trim() === '') throw malformed(`Expected text to ${act}, got none.`);
    const incident = await incidentNamed(reading, id);
    const acting = await actingOn?.(incident);
    if (!acting) throw notAdmin('incident');
    const by = actorOf(context);
    const done =
      act === 'tell' ? await tellAll(acting, reading, { id, text: tellable(text) }) : DONE[act];
    const order =
      act === 'tell' ? { act: 'note' as const, text: `Told all: ${text}` } : { act, text };
    if (!(await acting.ledger.incidents?.act(id, { ...order, by, at: reading.now() })))
      throw unknown('incident', id);
    tellActed(context, { action: `incident-${act}`, target: id });
    return { text: done, incident: await incidentNamed(reading, id) };
  },
});
