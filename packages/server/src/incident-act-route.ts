import { anObject, aText, oneOf } from '@unrut/engine/schema/kinds';
import { notAdmin, tellActed } from './act-route.ts';
import { incidentActedSchema } from './answers/incidents.ts';
import { incidentNamed } from './api/incident-routes.ts';
import type { Looking } from './api/look-routes.ts';
import { malformed, unknown } from './problem.ts';
import { actorOf } from './protect.ts';
import { routesOf } from './route/route.ts';
import { text as aWord, explained, maybe, named } from './route/schema-words.ts';

/** The actions on an incident, with their messages. */
const DONE = {
  acknowledge: 'Acknowledged.',
  resolve: 'Resolved. If its cause is back within 7 days, it is reopened.',
  note: 'Noted.',
} as const;
const ACTS = Object.keys(DONE) as (keyof typeof DONE)[];

/** `POST /v1/incidents/:id`: users' actions on an incident. */
export const incidentActRoute = routesOf<Looking>({
  tag: 'act',
  scope: 'admin',
  isOfProject: true,
}).post('/v1/incidents/:id', {
  id: 'actOnIncident',
  summary: 'Acknowledge or resolve an incident, or write a note about it.',
  params: { id: aWord('The id of the incident.') },
  body: named(
    'IncidentAct',
    anObject({
      act: oneOf(ACTS),
      text: maybe(explained(aText(), 'Of a note: up to 500 characters; secrets are masked.')),
    }),
  ),
  answer: incidentActedSchema,
  refuses: { 404: 'No such incident.' },
  async handle({ params: { id }, body: { act, text = '' }, context }, { reading, actingOn }) {
    if (act === 'note' && text.trim() === '')
      throw malformed('Expected text with a note, got none.');
    const incident = await incidentNamed(reading, id);
    const acting = await actingOn?.(incident);
    if (!acting) throw notAdmin('incident');
    const by = actorOf(context);
    if (!(await acting.ledger.incidents?.act(id, { act, by, at: reading.now(), text })))
      throw unknown('incident', id);
    tellActed(context, { action: `incident-${act}`, target: id });
    return { text: DONE[act], incident: await incidentNamed(reading, id) };
  },
});
