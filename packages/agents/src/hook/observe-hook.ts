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
  /** The run of `unrut run` that the session belongs to; it receives the session's signals. */
  run: string | undefined;
  /** Nobody watches it. */
  isAlone: boolean;
  from: string | undefined;
  /** Why Unrut does not act: switched off by the user, or shadow mode. */
  mode: Origin['mode'];
  /** Switched on by a person: it is in no trial. */
  isOn: boolean;
  /** The origin from the hook's variables. */
  origin: EventOrigin;
  /** The session's cost in dollars, if the host reports it. */
  usdSoFar: number | undefined;
  /** Plans that the user requested, in addition to the guard's. */
  asked: readonly Plan[];
  /** Where a person can read more about the session or report a false alarm. */
  more(session: string): string;
}

/** Passes a payload, and the answer to it, to the guard of its session. */
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

/** The commands for details, for people on the ledger's machine. */
export const commandsAbout = (session: string): string =>
  `${moreAbout(session)}; wrong? unrut false-alarm`;

/**
 * Adds the reference to details to the first message about a loop and to a stop, which is all that
 * a user sees with `-p`.
 */
const withMore = (verdict: Verdict, more: string): Verdict => {
  const { plan } = verdict;
  if (!plan || plan.toHuman === '' || !(plan.first || plan.rung === 'stop')) return verdict;
  return {
    ...verdict,
    plan: { ...plan, toHuman: `${plan.toHuman} (${more})` },
  };
};

/** The last part of the folder in a payload; empty if it has none. */
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
