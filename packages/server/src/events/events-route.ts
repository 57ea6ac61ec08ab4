import type { AgentEvent } from '@unrut/engine/event';
import type { EventOrigin } from '@unrut/engine/event-parts';
import type { GuardOptions } from '@unrut/engine/guard';
import { EVENT_TYPES } from '@unrut/engine/read-event';
import { notify } from '@unrut/ledger/notify/notify';
import { isOverQuota } from '@unrut/ledger/recorder';
import * as v from 'valibot';
import { verdictsSchema } from '../answers/guard.ts';
import { zeroOrOne } from '../api/query.ts';
import { expectJson, readTextBody } from '../body.ts';
import { latestTime } from '../latest-time.ts';
import { malformed, Refusal } from '../problem.ts';
import { countEvents, personOf } from '../protect.ts';
import { report } from '../reporting.ts';
import {
  choice,
  list,
  maybe,
  numeric,
  object,
  open,
  type Schema,
  text,
} from '../route/schema-words.ts';
import { type EventsRead, readEvents } from './read-events.ts';
import { recordEvents, type ToldVerdict } from './record-events.ts';

const event = open({
  type: choice(EVENT_TYPES),
  session: text(),
  at: numeric('Epoch milliseconds.'),
  id: maybe(text('Deduplicates: an event sent again with the same id counts once.')),
  origin: maybe(
    object({
      host: maybe(text("The agent's program. Max 100 characters, like the others.")),
      model: maybe(text('The model it uses.')),
      release: maybe(text('The version of the agent or prompt.')),
      repo: maybe(text('The repository it works on.')),
      team: maybe(text('The team it belongs to.')),
      person: maybe(text('The person it works for.')),
    } satisfies Record<keyof EventOrigin, Schema>),
  ),
});

export const eventsRoute = report.post('/v1/events', {
  id: 'postEvents',
  summary: 'Send events to the guard: one, a list, or NDJSON.',
  query: {
    shadow: zeroOrOne('1: record only.'),
    can: maybe(text('Interventions the host supports, comma-separated.')),
    attended: zeroOrOne(
      '1: the sender asks a human on escalate. 0: it does not. Default: the config.',
    ),
  },
  takes: {
    'application/json': v.union([event, list(event), object({ events: list(event) })]),
    'application/x-ndjson': text('One event per line.'),
  },
  answer: verdictsSchema,
  statuses: { 200: 'A verdict for each event, in order. All events are saved.' },
  refuses: { 503: 'Nothing was saved; send the events again.' },
  async handle({ query, context }, parts) {
    const { ledger, recorder, settingsIn, said, optionsFor, now = Date.now } = parts;
    const settings = settingsIn(undefined);
    const asked = { ...query, shadow: query.shadow === '1' };
    const options = optionsFor(asked);
    if (typeof options === 'string') throw malformed(options);
    expectJson(context);
    const isLines = /ndjson|jsonl|json-lines/.test(context.req.header('content-type') ?? '');
    const body = await readTextBody(context);
    const readings = await readEvents(body, isLines, latestTime(now()));
    const person = personOf(context);
    const events = readings.flatMap((reading) =>
      'event' in reading ? [ofPerson(reading.event, person)] : [],
    );
    countEvents(context, events.length);
    try {
      const silenced = new Set(said?.now().off.map(({ session }) => session));
      const isOff = ({ session }: AgentEvent): boolean => silenced.has(session);
      const record = (some: readonly AgentEvent[], by: GuardOptions): Promise<ToldVerdict[]> =>
        some.length === 0
          ? Promise.resolve([])
          : recordEvents(some, { recorder, ledger, options: by, bytes: body.length });
      const heard = await record(
        events.filter((event) => !isOff(event)),
        options,
      );
      const unheard = await record(
        events.filter(isOff),
        optionsFor({ ...asked, shadow: true }) as GuardOptions,
      );
      const verdicts = events.map((event) => (isOff(event) ? unheard : heard).shift()!);
      for (const [i, { plan, repeated }] of verdicts.entries())
        if (plan?.rung === 'escalate' && !repeated)
          notify(settings.notify, { plan, session: events[i]!.session, at: events[i]!.at });
      return { verdicts: inOrder(readings, verdicts) };
    } catch (error) {
      if (isOverQuota(error)) throw new Refusal(429, 'over-quota', (error as Error).message);
      throw new Refusal(
        503,
        'ledger-unusable',
        `the events could not be recorded: ${(error as Error).message} Send them again, with their ids.`,
      );
    }
  },
});

/** Whose key it is decides whose event it is. */
const ofPerson = (event: AgentEvent, person: string | undefined): AgentEvent =>
  person === undefined ? event : { ...event, origin: { ...event.origin, person } };

/** Each reading has its verdict: what the guard thinks, or why it was no event. */
function inOrder(readings: readonly EventsRead[], verdicts: readonly ToldVerdict[]): ToldVerdict[] {
  let next = 0;
  return readings.map((reading) =>
    'event' in reading
      ? verdicts[next++]!
      : { signals: [], plan: null, shadow: null, outcomes: [], faults: [reading.fault], step: 0 },
  );
}
