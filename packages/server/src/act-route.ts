import { hookHosts } from '@unrut/agents/hosts';
import type { Rung } from '@unrut/engine/event';
import { anObject, aText, oneOf } from '@unrut/engine/schema/kinds';
import type { AuditedDeed } from '@unrut/ledger/organisation';
import { lastAlarm } from '@unrut/ledger/people/alarm';
import { forgive, forgivenText } from '@unrut/ledger/people/forgive';
import type { SaidChange } from '@unrut/ledger/people/said';
import { withStop } from '@unrut/ledger/people/stop';
import { withOff, withoutOff } from '@unrut/ledger/people/switch';
import type { SessionRow } from '@unrut/ledger/reports/reports';
import type { Context } from 'hono';
import * as v from 'valibot';
import { actSchema } from './answers/sessions.ts';
import type { SessionControl } from './api/answers.ts';
import type { Acting, Looking } from './api/look-routes.ts';
import { malformed, Refusal, unknown } from './problem.ts';
import { routesOf } from './route/route.ts';
import { explained, maybe, named } from './route/schema-words.ts';

/** The actions of a user on a session. */
const ACTS = ['false-alarm', 'off', 'on', 'stop'] as const;
type Act = (typeof ACTS)[number];

/** Sessions of one request. */
const MAX_SESSIONS = 500;

/** An action on a session, with its parameters. */
interface Order extends Acting {
  act: Act;
  scope: 'call' | 'tool';
  session: SessionRow;
  at: number;
}

/**
 * `POST /v1/act`: the actions of `unrut false-alarm`, `unrut off` and `unrut on`, and stopping a
 * session.
 */
export const actRoute = routesOf<Looking>({ tag: 'act', scope: 'admin', isOfProject: true }).post(
  '/v1/act',
  {
    id: 'act',
    summary:
      'Call the newest alarm of a session false, switch Unrut off or on for it, or stop it; or do so for many.',
    body: named(
      'Act',
      anObject({
        session: maybe(aText()),
        sessions: maybe(
          explained(
            v.pipe(v.array(aText()), v.minLength(1), v.maxLength(MAX_SESSIONS)),
            `In place of \`session\`: up to ${MAX_SESSIONS} of them.`,
          ),
        ),
        act: oneOf(ACTS),
        scope: maybe(
          explained(
            oneOf(['call', 'tool']),
            'Of a false alarm: this call, or every call of its tool.',
          ),
        ),
      }),
    ),
    answer: actSchema,
    refuses: {
      404: 'No such session.',
      409: 'There is no alarm, or the program cannot be stopped.',
    },
    async handle({ body: { session, sessions, act, scope = 'call' }, context }, looking) {
      if ((session === undefined) === (sessions === undefined))
        throw malformed('Expected session or sessions, got both or none of them.');
      const perform = (name: string): Promise<string> => performOn(looking, name, act, scope);
      if (session !== undefined) {
        const text = await perform(session);
        tellActed(context, { action: `session-${act}`, target: session });
        return { text };
      }
      const results: { session: string; done: boolean; text: string }[] = [];
      for (const name of new Set(sessions)) results.push(await attempted(name, perform));
      const done = results.filter((each) => each.done).map((each) => each.session);
      if (done.length > 0) tellActed(context, { action: `session-${act}`, ...listedOnce(done) });
      return { text: `Done for ${done.length} of ${results.length} sessions.`, results };
    },
  },
);

/** One session is named by itself. */
const listedOnce = (sessions: readonly string[]): Pick<ActedOn, 'target' | 'data'> =>
  sessions.length === 1 ? { target: sessions[0]! } : { data: { sessions } };

/** If one of several sessions is refused, the others are still processed. */
async function attempted(session: string, perform: (name: string) => Promise<string>) {
  try {
    return { session, done: true, text: await perform(session) };
  } catch (error) {
    if (error instanceof Refusal) return { session, done: false, text: error.message };
    throw error;
  }
}

async function performOn(
  { reading, actingOn }: Looking,
  name: string,
  act: Act,
  scope: Order['scope'],
): Promise<string> {
  const session = await reading.reports.session(name);
  if (!session || !actingOn) throw unknown('session', name);
  const acting = await actingOn(session);
  if (!acting) throw notAdmin('session');
  return PERFORMED[act]({ ...acting, act, scope, session, at: reading.now() });
}

/** The error for callers who may not act on a session or an incident. */
export const notAdmin = (of: 'session' | 'incident'): Refusal =>
  new Refusal(
    403,
    'wrong-role',
    `Expected the role admin in the project of this ${of}, got less. Ask an admin for it.`,
  );

/** The implementation of each action; returns its message. */
const PERFORMED: Record<Act, (order: Order) => Promise<string>> = {
  async 'false-alarm'({ ledger, said, session, scope, at }) {
    const alarm = await lastAlarm(ledger, session.session);
    if (!alarm)
      throw new Refusal(
        409,
        'no-alarm',
        'No alarm was raised in this session, so there is nothing to forgive.',
      );
    return forgivenText(await forgive(ledger, said.change, { alarm, scope, folder: '', at }));
  },
  off: ({ session: { session }, at, ...order }) =>
    saying(
      { at, ...order },
      withOff({ session }, at),
      'Unrut is off for this session: it says and does nothing, and still records.',
    ),
  on: ({ session: { session }, at, ...order }) =>
    saying({ at, ...order }, withoutOff(session, at), 'Unrut is on for this session.'),
  async stop({ session: { session, host }, at, ...order }) {
    if (!obeys(host, 'stop'))
      throw new Refusal(
        409,
        'cannot-stop',
        'The program of this agent cannot be stopped by Unrut.',
      );
    return saying({ at, ...order }, withStop(session, at), 'It will be stopped at its next call.');
  },
};

async function saying(
  { said, at }: Pick<Order, 'said' | 'at'>,
  change: SaidChange,
  text: string,
): Promise<string> {
  await said.change(at, change);
  return text;
}

/** Whether the program of an agent does that where one of its hooks is answered. */
export const obeys = (host: string | undefined, rung: Rung): boolean =>
  hookHosts.some(({ name, hooks }) => name === host && hooks?.can.includes(rung) === true);

/** The available actions on a session, and those in effect. */
export function controlOf(
  { said }: Acting,
  { session, host }: { session: string; host?: string },
): SessionControl {
  const { off, stop } = said.now();
  return {
    isOff: off.some((each) => each.session === session),
    canStop: obeys(host, 'stop'),
    isStopping: stop.some((each) => each.session === session),
  };
}

const ACTED = 'acted';

/** The action of a request, for the audit. */
export type ActedOn = Pick<AuditedDeed, 'action' | 'target' | 'data'>;

export const tellActed = (context: Context, acted: ActedOn): void => context.set(ACTED, acted);
export const actedIn = (context: Context): ActedOn | undefined => context.get(ACTED);
