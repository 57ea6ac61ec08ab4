import { hookHosts } from '@unrut/agents/hosts';
import { anObject, aText, oneOf } from '@unrut/engine/schema/kinds';
import { lastAlarm } from '@unrut/ledger/people/alarm';
import { forgive, forgivenText } from '@unrut/ledger/people/forgive';
import { askStop } from '@unrut/ledger/people/stop';
import { switchOff, switchOn } from '@unrut/ledger/people/switch';
import { actSchema } from './answers/sessions.ts';
import type { SessionControl } from './api/answers.ts';
import type { Looking } from './api/look-routes.ts';
import type { PeopleSaid } from './people-said.ts';
import { Refusal, unknown } from './problem.ts';
import { routesOf } from './route/route.ts';
import { explained, maybe, named } from './route/schema-words.ts';

/** What a person can do about a session. */
const ACTS = ['false-alarm', 'off', 'on', 'stop'] as const;

/** `POST /v1/act`: what `unrut false-alarm`, `unrut off` and `unrut on` do; also stops a session. */
export const actRoute = routesOf<Looking>({ tag: 'act', scope: 'admin' }).post('/v1/act', {
  id: 'act',
  summary: 'Call the newest alarm of a session false, switch Unrut off or on for it, or stop it.',
  body: named(
    'Act',
    anObject({
      session: aText(),
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
  async handle({ body: { session, act, scope = 'call' } }, { reading, said }) {
    if (!said) throw unknown('session', session);
    const known = await reading.reports.session(session);
    if (!known) throw unknown('session', session);
    const [{ ledger }, { path }, at] = [reading, said, reading.now()];
    const done: Record<(typeof ACTS)[number], () => string | Promise<string>> = {
      async 'false-alarm'() {
        const alarm = await lastAlarm(ledger, session);
        if (!alarm)
          throw new Refusal(
            409,
            'no-alarm',
            'No alarm was raised in this session, so there is nothing to forgive.',
          );
        return forgivenText(await forgive(ledger, path, { alarm, scope, folder: '', at }));
      },
      off() {
        switchOff(path, { session }, at);
        return 'Unrut is off for this session: it says and does nothing, and still records.';
      },
      on() {
        switchOn(path, '', session, at);
        return 'Unrut is on for this session.';
      },
      stop() {
        if (!canBeStopped(known.host))
          throw new Refusal(
            409,
            'cannot-stop',
            'The program of this agent cannot be stopped by Unrut.',
          );
        askStop(path, session, at);
        return 'It will be stopped at its next call.';
      },
    };
    const text = await done[act]();
    said.lookAgain();
    return { text };
  },
});

const canBeStopped = (host: string | undefined): boolean =>
  hookHosts.some(({ name, hooks }) => name === host && hooks?.can.includes('stop') === true);

/** What can be done about a session, and what holds already. */
export function controlOf(
  said: PeopleSaid,
  { session, host }: { session: string; host?: string },
): SessionControl {
  const { off, stop } = said.now();
  return {
    isOff: off.some((each) => each.session === session),
    canStop: canBeStopped(host),
    isStopping: stop.some((each) => each.session === session),
  };
}
