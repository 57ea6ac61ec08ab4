import type { Context } from 'hono';
import { type AgentEvent, type Capability, RUNGS } from '../../event.ts';
import type { GuardOptions } from '../../guard.ts';
import type { HookSettings } from '../../hook/answer-hook.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Recorder } from '../../ledger/recorder.ts';
import { notify } from '../../notify/notify.ts';
import { expectJson, readTextBody } from '../body.ts';
import { latestTime } from '../latest-time.ts';
import { problem } from '../problem.ts';
import { countEvents, personOf } from '../protect.ts';
import { type EventsRead, readEvents } from './read-events.ts';
import { recordEvents, type ToldVerdict } from './record-events.ts';

export interface EventsRoute {
  ledger: Ledger;
  recorder: Pick<Recorder, 'step'>;
  /** What is in force; it is asked once, for the folder of the server. */
  settingsIn(folder: undefined): HookSettings;
  /** Epoch milliseconds. Default: `Date.now`. */
  now?: () => number;
}

const CAPABILITIES: readonly string[] = RUNGS;

/** `POST /v1/events`: shows events to the guard, and answers with a verdict for each when all of them are kept. */
export function eventsRoute({ ledger, recorder, settingsIn, now = Date.now }: EventsRoute): (context: Context) => Promise<Response> {
  const settings = settingsIn(undefined);
  const optionsFor = createOptions(settings);
  return async (context) => {
    const options = optionsFor(context.req.query('can'), context.req.query('shadow') === '1');
    if (typeof options === 'string') return problem(context, 400, 'malformed', options);
    expectJson(context);
    const isLines = /ndjson|jsonl|json-lines/.test(context.req.header('content-type') ?? '');
    const body = await readTextBody(context);
    const readings = await readEvents(body, isLines, latestTime(now()));
    const person = personOf(context);
    const events = readings.flatMap((reading) => ('event' in reading ? [ofPerson(reading.event, person)] : []));
    countEvents(context, events.length);
    try {
      const verdicts = events.length === 0 ? [] : await recordEvents(events, { recorder, ledger, options, bytes: body.length });
      for (const [i, { plan, repeated }] of verdicts.entries())
        if (plan?.rung === 'escalate' && !repeated) notify(settings.notify, { plan, session: events[i]!.session, at: events[i]!.at });
      return context.json({ verdicts: inOrder(readings, verdicts) });
    } catch (error) {
      return problem(
        context,
        503,
        'ledger-unusable',
        `nothing was kept: ${(error as Error).message} Send the events again, with their ids.`,
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
    'event' in reading ? verdicts[next++]! : { signals: [], plan: null, shadow: null, outcomes: [], faults: [reading.fault], step: 0 },
  );
}

/** The rules of a request: the server's, for what the sender can do. The same request gets the same object. Or what is wrong with it. */
function createOptions({ guard, attended, notify }: HookSettings): (can: string | undefined, shadow: boolean) => GuardOptions | string {
  const made = new Map<string, GuardOptions>();
  return (can, shadow) => {
    const names = can === undefined ? undefined : [...new Set(can.split(','))].sort();
    const unknown = names?.find((name) => !CAPABILITIES.includes(name));
    if (unknown !== undefined) return `expected names of ${CAPABILITIES.join(', ')} after ?can=, got ${unknown}.`;
    const key = `${names?.join() ?? ''} ${shadow}`;
    const known = made.get(key);
    if (known) return known;
    // Whoever is told beside the sender can be told of any sender.
    const able = names && notify ? [...names, 'escalate'] : names;
    const options: GuardOptions = {
      ...guard,
      ...(attended === undefined ? {} : { attended }),
      ...(able ? { can: able as Capability[] } : {}),
      ...(shadow ? { shadow } : {}),
    };
    made.set(key, options);
    return options;
  };
}
