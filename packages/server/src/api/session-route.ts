import { RUNGS } from '@unrut/engine/event';
import { safeName } from '@unrut/engine/redact/safe-name';
import { withinRange } from '@unrut/ledger/figures/session-figures';
import { sessionLoops } from '@unrut/ledger/views/session-loops';
import type { Moment } from '@unrut/ledger/views/timeline';
import type { Context } from 'hono';
import { controlOf } from '../act-route.ts';
import type { PeopleSaid } from '../people-said.ts';
import { unknown } from '../problem.ts';
import type { MomentRow, SessionAnswer, SessionLoop } from './answers.ts';
import { nameIn, numberIn } from './query.ts';
import type { LedgerReading } from './reading.ts';

/** `GET /v1/sessions/:id` and `GET /v1/session?id=`: one session step by step, a page of it. */
export function sessionRoute(
  reading: LedgerReading,
  said?: PeopleSaid,
): (context: Context) => Promise<Response> {
  return async (context) => {
    const name = nameIn(context);
    const limit = numberIn(context, 'limit', 500);
    const session =
      (await reading.reports.session(name)) ?? (await reading.reports.session(safeName(name)));
    const timeline = session && (await reading.timeline(session.session));
    if (!timeline) throw unknown('session', name);
    const { moments, account, cut: isCut } = timeline;
    const offset = offsetIn(context, moments, limit);
    const { loops, earlier } = sessionLoops(account, moments, session.state !== 'looping');
    const shadows = shadowsIn(moments);
    return context.json({
      session,
      ...(said ? { control: controlOf(said, session) } : {}),
      loops,
      earlier,
      moments: moments.slice(offset, offset + limit).map((moment, i) => ({
        ...withLoops(moment, offset + i, loops),
        outcomes: moment.outcomes.map((found) =>
          shadows.has(withinRange(moment, found.plan)) ? { ...found, shadow: true } : found,
        ),
      })),
      total: moments.length,
      offset,
      strip: moments.map(({ letter }) => letter).join(''),
      seconds: moments.map(({ at }) => Math.max(0, Math.round((at - moments[0]!.at) / 1000))),
      acts: moments
        .map(({ plans }) => Math.max(0, ...plans.map(({ rung }) => RUNGS.indexOf(rung) + 1)))
        .join(''),
      cut: isCut,
    } satisfies SessionAnswer);
  };
}

/** Where the page begins: as asked for, or so that a step is in its middle, else the newest. */
function offsetIn(context: Context, moments: readonly Moment[], limit: number): number {
  const newest = Math.max(0, moments.length - limit);
  const around = numberIn(context, 'around', -1);
  const place =
    around < 0
      ? -1
      : moments.findIndex(
          ({ step, agent }) => step === around && agent === context.req.query('agent'),
        );
  if (place >= 0) return Math.min(newest, Math.max(0, place - Math.floor(limit / 2)));
  return Math.min(moments.length, numberIn(context, 'offset', newest));
}

/** Plans that were only recorded. */
const shadowsIn = (moments: readonly Moment[]): ReadonlySet<string> =>
  new Set(
    moments.flatMap((moment) =>
      moment.plans.filter(({ shadow }) => shadow).map(({ id }) => withinRange(moment, id)),
    ),
  );

function withLoops(moment: Moment, index: number, all: readonly SessionLoop[]): MomentRow {
  const loops = all
    .filter(
      ({ agent, bursts }) =>
        agent === moment.agent &&
        bursts.some(({ place }) => place.start <= index && index <= place.end),
    )
    .map(({ id }) => id);
  return loops.length > 0 && moment.step !== undefined ? { ...moment, loops } : moment;
}
