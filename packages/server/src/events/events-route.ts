import type { HookSettings } from '@unrut/agents/hook/answer-hook';
import { type AgentEvent, type Capability, RUNGS } from '@unrut/engine/event';
import type { GuardOptions } from '@unrut/engine/guard';
import { notify, tellsSomebody } from '@unrut/ledger/notify/notify';
import { forgivenIn } from '@unrut/ledger/people/said';
import { isOverQuota } from '@unrut/ledger/recorder';
import type { Context } from 'hono';
import { expectJson, readTextBody } from '../body.ts';
import type { ReportingRoute } from '../hook-route.ts';
import { latestTime } from '../latest-time.ts';
import type { PeopleSaid } from '../people-said.ts';
import { problem } from '../problem.ts';
import { countEvents, personOf } from '../protect.ts';
import { type EventsRead, readEvents } from './read-events.ts';
import { recordEvents, type ToldVerdict } from './record-events.ts';

const CAPABILITIES: readonly string[] = RUNGS;

/**
 * `POST /v1/events`: shows events to the guard, and answers with a verdict for each when all of
 * them are kept.
 */
export function eventsRoute({
  ledger,
  recorder,
  settingsIn,
  said,
  now = Date.now,
}: ReportingRoute): (context: Context) => Promise<Response> {
  const settings = settingsIn(undefined);
  const optionsFor = createOptions(settings, said);
  return async (context) => {
    const asked = {
      can: context.req.query('can'),
      shadow: context.req.query('shadow') === '1',
      attended: context.req.query('attended'),
    };
    const options = optionsFor(asked);
    if (typeof options === 'string') return problem(context, 400, 'malformed', options);
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
      return context.json({ verdicts: inOrder(readings, verdicts) });
    } catch (error) {
      if (isOverQuota(error)) return problem(context, 429, 'over-quota', (error as Error).message);
      return problem(
        context,
        503,
        'ledger-unusable',
        `the events could not be recorded: ${(error as Error).message} Send them again, with their ids.`,
      );
    }
  };
}

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

/** What a request says about its sender. */
interface AskedRules {
  can: string | undefined;
  shadow: boolean;
  /** `1` or `0`: whether the sender asks somebody. */
  attended: string | undefined;
}

/**
 * The rules of a request: the server's, for what the sender can do. The same request gets the same
 * object. Or what is wrong with it.
 */
function createOptions(
  { guard, attended, notify }: HookSettings,
  people: PeopleSaid | undefined,
): (asked: AskedRules) => GuardOptions | string {
  const made = new Map<string, GuardOptions>();
  let said = people?.now();
  return ({ can, shadow, attended: says }) => {
    if (said !== people?.now()) made.clear();
    said = people?.now();
    const names = can === undefined ? undefined : [...new Set(can.split(','))].sort();
    const unknown = names?.find((name) => !CAPABILITIES.includes(name));
    if (unknown !== undefined)
      return `expected names of ${CAPABILITIES.join(', ')} after ?can=, got ${unknown}.`;
    const key = `${names?.join() ?? ''} ${shadow} ${says ?? ''}`;
    const known = made.get(key);
    if (known) return known;
    // Whoever is told beside the sender can be told of any sender.
    const able = names && notify ? [...names, 'escalate'] : names;
    const options: GuardOptions = {
      ...guard,
      ...(said ? { forgiven: forgivenIn(said, process.cwd()) } : {}),
      // Nobody reads along here: whether somebody is asked, only the sender or `notify` can know.
      attended: says === undefined ? (attended ?? tellsSomebody(notify)) : says === '1',
      ...(able ? { can: able as Capability[] } : {}),
      ...(shadow ? { shadow } : {}),
    };
    made.set(key, options);
    return options;
  };
}
