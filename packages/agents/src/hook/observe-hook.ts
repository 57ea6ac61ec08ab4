import type { AgentEvent, Json } from '@unrut/engine/event';
import type { EventOrigin } from '@unrut/engine/event-parts';
import { emptyVerdict, type Verdict } from '@unrut/engine/guard';
import { listOf, present, textOf } from '@unrut/engine/json';
import type { Plan } from '@unrut/engine/policy/plan';
import { redact } from '@unrut/engine/redact/redact';
import { moreAbout } from '@unrut/ledger/more-about';
import { keptOrigin, type Origin } from '@unrut/ledger/record';
import type { RecordingTransaction } from '@unrut/ledger/recording-transaction';
import type { HookAnswer, HookMemory, HookUnderstood, Host } from '../hosts/define-host.ts';

/** A payload on its way through the guard. */
export interface ObservedHook {
  host: Host;
  told: HookUnderstood;
  session: string;
  at: number;
  /** The run of `unrut run` that the session is part of; it receives the signals of the session. */
  run: string | undefined;
  /** Nobody watches it. */
  isAlone: boolean;
  from: string | undefined;
  /** Nothing is done: switched off by a person, or by the settings. */
  mode: Origin['mode'];
  /** Switched on by a person: it is in no trial. */
  isOn: boolean;
  /** What the variables of the hook say of where it comes from. */
  origin: EventOrigin;
  /** Dollars that the session has cost so far, if the host reports them. */
  usdSoFar: number | undefined;
  /** What a person wants done, besides what the guard plans. */
  asked: readonly Plan[];
  /** Where a person reads more about the session, and says that it was wrong. */
  more(session: string): string;
}

/** Shows a payload to the guard of its session, and what was answered too. */
export function observeHook(
  step: RecordingTransaction,
  {
    host,
    told,
    session,
    at,
    run,
    from,
    isAlone,
    mode,
    isOn,
    asked,
    usdSoFar,
    more,
    origin: said,
  }: ObservedHook,
): { verdicts: Verdict[]; answer: HookAnswer | null } {
  const remembered = step.memory(session);
  const memory = listOf(remembered) as unknown as HookMemory;
  const moment = { at, memory, isAlone, usdSoFar, ...present({ from }) };
  const origin = {
    ...said,
    ...originOf(host, told),
    ...present({ mode }),
    ...(isOn ? { isOn } : {}),
  };
  const observe = (event: AgentEvent): Verdict =>
    step.observe(run === undefined ? event : { ...event, parent: run }, { origin });
  const verdicts = host.read(told, moment).map(observe);
  const answer = host.write(
    [
      ...verdicts.map((verdict) => withMore(verdict, more(session))),
      ...asked.map((plan) => ({ ...emptyVerdict(), plan })),
    ],
    told,
    moment,
  );
  for (const event of answer?.events ?? []) observe(event);
  step.remember(session, memory as unknown as Json);
  return { verdicts, answer };
}

/** The commands that tell more to a person on the machine of the ledger. */
export const commandsAbout = (session: string): string =>
  `${moreAbout(session)}; wrong? unrut false-alarm`;

/**
 * The first line about a loop says where to read more, and so does the one about a stop: with `-p`
 * it is all that a person sees.
 */
const withMore = (verdict: Verdict, more: string): Verdict => {
  const { plan } = verdict;
  if (!plan || plan.toHuman === '' || !(plan.first || plan.rung === 'stop')) return verdict;
  return {
    ...verdict,
    plan: { ...plan, toHuman: `${plan.toHuman} (${more})` },
  };
};

/** The last part of the folder that a payload names; empty where it names none. */
export const folderIn = ({ payload }: Pick<HookUnderstood, 'payload'>): string =>
  redact(textOf(payload.cwd).split(/[\\/]/).at(-1) ?? '');

const originOf = ({ name: host, hooks }: Host, { payload, told }: HookUnderstood): Origin => {
  const folder = folderIn({ payload });
  const begins = told.told.some(({ what }) => what === 'person');
  return {
    ...keptOrigin({ model: payload.model }),
    host,
    ...(folder === '' ? {} : { folder }),
    ...(begins && hooks?.reports?.includes('turns') ? { turns: true as const } : {}),
  };
};
