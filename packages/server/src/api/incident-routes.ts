import { INCIDENT_STATES, type Incident, incidentAdvice } from '@unrut/ledger/incidents/incident';
import { incidentInFullSchema, incidentsSchema } from '../answers/incidents.ts';
import { unknown } from '../problem.ts';
import { text } from '../route/schema-words.ts';
import { readRoute } from './look-routes.ts';
import { limitOf, namesOf } from './query.ts';
import type { LedgerReading } from './reading.ts';

/** Adds the advice on an incident. */
const advised = (incident: Incident) => ({ ...incident, advice: incidentAdvice(incident) });

/** Throws a refusal if the incident does not exist or the sender may not see it. */
export async function incidentNamed({ reports }: LedgerReading, id: string) {
  const [incident] = (await reports.incidents({ most: 1, id })).incidents;
  if (!incident) throw unknown('incident', id);
  return advised(incident);
}

export const incidentRoutes = [
  readRoute.get('/v1/incidents', {
    id: 'listIncidents',
    summary: 'List incidents: one cause over many sessions.',
    query: { state: namesOf(INCIDENT_STATES), limit: limitOf(50, 200) },
    answer: incidentsSchema,
    async handle({ query: { state, limit } }, { reading }) {
      const { incidents, states } = await reading.reports.incidents({
        most: limit,
        ...(state ? { states: state } : {}),
      });
      return { incidents: incidents.map(advised), states };
    },
  }),

  readRoute.get('/v1/incidents/:id', {
    id: 'getIncident',
    summary: 'Get an incident and its sessions.',
    params: { id: text('The id of the incident.') },
    query: { limit: limitOf(500, 1000) },
    answer: incidentInFullSchema,
    refuses: { 404: 'No such incident.' },
    async handle({ params: { id }, query: { limit } }, { reading }) {
      const incident = await incidentNamed(reading, id);
      const { sessions, total } = await reading.reports.sessions({ most: limit, incident: id });
      return { incident, sessions, total };
    },
  }),
];
