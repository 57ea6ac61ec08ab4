import { RUNGS } from '@unrut/engine/event';
import { present } from '@unrut/engine/json';
import { safeName } from '@unrut/engine/redact/safe-name';
import { withinRange } from '@unrut/ledger/figures/session-figures';
import { ignoredStop } from '@unrut/ledger/views/loop-picture';
import { sessionLoops } from '@unrut/ledger/views/session-loops';
import type { Moment } from '@unrut/ledger/views/timeline';
import { controlOf } from '../act-route.ts';
import { sessionInFullSchema } from '../answers/sessions.ts';
import { unknown } from '../problem.ts';
import { explained, maybe, text } from '../route/schema-words.ts';
import type { MomentRow, SessionLoop } from './answers.ts';
import { readRoute } from './look-routes.ts';
import { limitOf, nameParam, wholeFrom } from './query.ts';

/** Of steps and moments. */
const FURTHEST = 1_000_000;

export const sessionRoute = readRoute.get('/v1/sessions/:id', {
  id: 'getSession',
  summary: 'Get a session, step by step.',
  params: { id: nameParam() },
  query: {
    offset: maybe(
      explained(wholeFrom(0, FURTHEST), 'First moment of the page (default: the newest page).'),
    ),
    limit: limitOf(500, 2000),
    around: maybe(explained(wholeFrom(0, FURTHEST), 'Center the page on this step.')),
    agent: maybe(text('The nested agent that the step belongs to.')),
  },
  answer: sessionInFullSchema,
  refuses: { 404: 'No such session.' },
  async handle({ params: { id }, query }, { reading, actingOn }) {
    const session =
      (await reading.reports.session(id)) ?? (await reading.reports.session(safeName(id)));
    const timeline = session && (await reading.timeline(session.session));
    if (!timeline) throw unknown('session', id);
    const { moments, account, cut: isCut } = timeline;
    const offset = offsetIn(query, moments);
    const { loops, earlier } = sessionLoops(account, moments, session.state !== 'looping');
    const shadows = shadowsIn(moments);
    const acting = await actingOn?.(session);
    return {
      session,
      ...(acting ? { control: controlOf(acting, session) } : {}),
      loops,
      earlier,
      ...present({ ignoredStop: ignoredStop(moments) }),
      moments: moments.slice(offset, offset + query.limit).map((moment, i) => ({
        ...withLoops(moment, offset + i, loops),
        outcomes: moment.outcomes.map((found) =>
          shadows.has(withinRange(moment, found.plan))
            ? { ...found, shadow: true as const }
            : found,
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
    };
  },
});

interface PageAsked {
  limit: number;
  offset?: number | undefined;
  around?: number | undefined;
  agent?: string | undefined;
}

/** The first index of the page: as requested, centred on a step, or the newest page. */
function offsetIn(page: PageAsked, moments: readonly Moment[]): number {
  const newest = Math.max(0, moments.length - page.limit);
  const place =
    page.around === undefined
      ? -1
      : moments.findIndex(({ step, agent }) => step === page.around && agent === page.agent);
  if (place >= 0) return Math.min(newest, Math.max(0, place - Math.floor(page.limit / 2)));
  return Math.min(moments.length, page.offset ?? newest);
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
