import type { AgentEvent } from '@unrut/engine/event';
import type { EventOrigin } from '@unrut/engine/event-parts';
import type { GuardOptions } from '@unrut/engine/guard';
import { present } from '@unrut/engine/json';
import { EVENT_TYPES } from '@unrut/engine/read-event';
import { errorReason } from '@unrut/engine/redact/reason';
import { notify } from '@unrut/ledger/notify/notify';
import { NOTHING_SAID, type Said } from '@unrut/ledger/people/said';
import { keptOrigin, sessionsIn } from '@unrut/ledger/record';
import { isOverQuota } from '@unrut/ledger/recorder';
import * as v from 'valibot';
import { verdictsSchema } from '../answers/guard.ts';
import { zeroOrOne } from '../api/query.ts';
import { expectJson, readTextBody } from '../body.ts';
import { latestTime } from '../latest-time.ts';
import { ledgerReason } from '../ledger-reason.ts';
import { malformed, Refusal } from '../problem.ts';
import { countEvents, personOf } from '../protect.ts';
import { type Reporting, report } from '../reporting.ts';
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
import type { OptionsFor } from './sender-options.ts';

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
    const { optionsFor, now = Date.now } = parts;
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
      const verdicts = new Map<AgentEvent, ToldVerdict>();
      for (const [place, some] of await byPlace(parts, events)) {
        const judged = await judge(place, some, { asked, bytes: body.length });
        for (const [i, event] of some.entries()) verdicts.set(event, judged[i]!);
      }
      const ordered = events.map((event) => verdicts.get(event)!);
      return { verdicts: inOrder(readings, ordered) };
    } catch (error) {
      if (isOverQuota(error)) throw new Refusal(429, 'over-quota', errorReason(error));
      throw new Refusal(
        503,
        'ledger-unusable',
        `the events could not be recorded: ${ledgerReason(error)} Send them again, with their ids.`,
      );
    }
  },
});

/** Events by the place to which they belong, each group in order. */
async function byPlace(
  parts: Reporting,
  events: readonly AgentEvent[],
): Promise<Map<Reporting, AgentEvent[]>> {
  if (!parts.placesOf) return new Map([[parts, [...events]]]);
  const places = await parts.placesOf(
    events.map((event) => ({
      sessions: sessionsIn(event),
      ...present({ repo: keptOrigin(event.origin).repo }),
    })),
  );
  return Map.groupBy(events, (_, i) => places[i]!);
}

/** How sessions are treated that a person has switched off or on, and the others. */
const WAYS = {
  off: { shadow: true, origin: { mode: 'off' } },
  on: { tried: false, origin: { isOn: true } },
  usual: { origin: {} },
} as const;

/** The guard's verdicts on recorded events. */
async function judge(
  { ledger, recorder, settingsIn, said, optionsFor }: Reporting,
  events: readonly AgentEvent[],
  { asked, bytes }: { asked: Parameters<OptionsFor>[0]; bytes: number },
): Promise<ToldVerdict[]> {
  await said?.refresh();
  const { off, on }: Said = said?.now() ?? NOTHING_SAID;
  const isOff = new Set(off.map(({ session }) => session));
  const isOn = new Set(on.map(({ session }) => session));
  const waysOf = ({ session }: AgentEvent): keyof typeof WAYS =>
    isOff.has(session) ? 'off' : isOn.has(session) ? 'on' : 'usual';
  const told = new Map<keyof typeof WAYS, ToldVerdict[]>();
  for (const [way, some] of Map.groupBy(events, waysOf)) {
    const { origin, ...rules } = WAYS[way];
    const options = optionsFor({ ...asked, ...rules }) as GuardOptions;
    told.set(way, await recordEvents(some, { recorder, ledger, bytes, options, origin }));
  }
  const verdicts = events.map((event) => told.get(waysOf(event))!.shift()!);
  const { notify: where } = settingsIn(undefined);
  for (const [i, { plan, repeated }] of verdicts.entries())
    if (plan?.rung === 'escalate' && !repeated)
      notify(where, { plan, session: events[i]!.session, at: events[i]!.at });
  return verdicts;
}

/** Events belong to the owner of the key. */
const ofPerson = (event: AgentEvent, person: string | undefined): AgentEvent =>
  person === undefined ? event : { ...event, origin: { ...event.origin, person } };

/** Pairs each input with its verdict, or with the reason why it was not a valid event. */
function inOrder(readings: readonly EventsRead[], verdicts: readonly ToldVerdict[]): ToldVerdict[] {
  let next = 0;
  return readings.map((reading) =>
    'event' in reading
      ? verdicts[next++]!
      : { signals: [], plan: null, shadow: null, outcomes: [], faults: [reading.fault], step: 0 },
  );
}
