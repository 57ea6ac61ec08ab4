import { INCIDENT_STATES } from '@unrut/ledger/incidents/incident';
import { choice, list, maybe, named, numeric, object, text } from '../route/schema-words.ts';
import { sessionSchema } from './sessions.ts';

/** One cause over many sessions. */

const shares = (of: string) =>
  list(object({ name: text(), sessions: numeric() }), `Known ${of} of its sessions, most first.`);

const incidentEntries = {
  id: text(),
  project: maybe(text('The project of its sessions, on a server for organisations.')),
  state: choice(INCIDENT_STATES),
  kind: choice(['failure', 'loop']),
  tool: text(),
  target: text('The machine that does not answer, else the repository or folder; may be empty.'),
  text: text('The cause in one sentence.'),
  advice: text('What to do about it.'),
  opened: numeric('Epoch milliseconds.'),
  first: numeric('The first failure.'),
  last: numeric('The newest failure.'),
  sessions: numeric(),
  users: numeric('Known users among them.'),
  calls: numeric('Failed or repeated calls.'),
  acknowledged: maybe(object({ at: numeric(), by: text() })),
  resolved: maybe(
    object(
      { at: numeric(), by: maybe(text()) },
      'Without `by`: nothing had failed for 30 minutes.',
    ),
  ),
  notes: list(object({ at: numeric(), by: text(), text: text() })),
  teams: shares('teams'),
  hosts: shares('programs'),
  repos: shares('repositories'),
  releases: shares('releases'),
  pulse: list(
    numeric(),
    'Sessions that failed in each of twenty parts of its time until now, or until it was resolved.',
  ),
};
const incidentSchema = named(
  'Incident',
  object(incidentEntries),
  'The same failure or loop of one tool about one target in at least 3 sessions, or of 2 users, within an hour.',
);

const states = object(
  { open: numeric(), acknowledged: numeric(), resolved: numeric() },
  'How many there are, whatever the filter.',
);

export const incidentsSchema = named(
  'Incidents',
  object({ incidents: list(incidentSchema, 'Open ones first, then acknowledged ones.'), states }),
);

export const incidentInFullSchema = named(
  'IncidentInFull',
  object({
    incident: incidentSchema,
    sessions: list(sessionSchema, 'Most recently active first; at most `limit`.'),
    total: numeric('All of its sessions.'),
  }),
);

export const incidentActedSchema = named(
  'IncidentActed',
  object({ text: text('What was done, in a sentence.'), incident: incidentSchema }),
);
