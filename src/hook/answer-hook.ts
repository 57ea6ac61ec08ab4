import { dialectOf, type HookAdapter, type HookAnswer, type HookHostName, type HookMemory, hookAdapters } from '../adapters/index.ts';
import type { AgentEvent, Json } from '../event.ts';
import { toFault } from '../fault.ts';
import { createGuard, type GuardOptions, type Snapshot, type Verdict } from '../guard.ts';
import { textOf } from '../importers/json.ts';
import type { Ledger, LedgerChange, SavedState } from '../ledger/ledger.ts';
import { entriesOf, type Origin } from '../ledger/record.ts';
import type { Plan } from '../policy/plan.ts';
import { redact } from '../redact.ts';
import type { Fault } from '../signal.ts';
import { isAttended } from './is-attended.ts';
import { recordFault } from './record-fault.ts';

/** Around a hook call. */
export interface HookSurroundings {
  /** The variables of the process that the host started; of no use over HTTP. */
  environment: Readonly<Record<string, string | undefined>>;
  /** The host whose hooks these are said to be. */
  said?: HookHostName;
  ledger: Ledger;
  settings: HookSettings;
  /** Epoch milliseconds. */
  at: number;
}

/** What of the settings concerns a hook call. */
export interface HookSettings {
  guard: GuardOptions;
  /** Somebody can be asked. Default: as the payload and the environment tell. */
  attended?: boolean;
}

/** What a hook call is answered with. */
export interface HookReply {
  /** To print as it is; empty for nothing. */
  stdout: string;
  exitCode: number;
  /** Plans to ask a person, who may not be looking. */
  escalations: Plan[];
}

/** Says nothing, so that the agent goes on as if nobody had been asked. */
export const NO_REPLY: HookReply = { stdout: '', exitCode: 0, escalations: [] };

/**
 * Answers what a host hands to its hooks, as text or parsed: state and record are in the ledger, and are changed in one step. Never throws;
 * what cannot be understood or kept is answered with nothing, and leaves a fault in the ledger where that is possible.
 */
export async function answerHook(input: unknown, surroundings: HookSurroundings): Promise<HookReply> {
  const { environment, said, ledger, settings, at } = surroundings;
  try {
    const payload = typeof input === 'string' ? (JSON.parse(input) as unknown) : input;
    const host = dialectOf(payload, environment, said);
    const adapter = host && hookAdapters[host];
    const session = adapter?.session(payload);
    if (!adapter || session === undefined) throw new Error('expected what a known agent hands to its hooks, got something else');
    const guard = { ...settings.guard, attended: settings.attended ?? isAttended(environment) };
    const calls: HookCalled[] = [];
    await ledger.update([session], ([saved]) => {
      const { called, change } = observeHook({ adapter, payload, session, at, guard, saved: saved! });
      calls.push(called);
      return change;
    });
    return replyOf(calls[0]!);
  } catch (error) {
    await recordFault(ledger, toFault('hook', error), at);
    return NO_REPLY;
  }
}

/** A payload on its way through the guard. */
interface HookCall {
  adapter: HookAdapter;
  payload: unknown;
  session: string;
  at: number;
  guard: GuardOptions;
  saved: SavedState;
}

/** What came of it. */
interface HookCalled {
  plans: Plan[];
  answer: HookAnswer | null;
}

/** What is kept of a session between its hooks. */
type HookState = Snapshot & { memory?: HookMemory };

function observeHook({ adapter, payload, session, at, guard: options, saved }: HookCall): { called: HookCalled; change: LedgerChange } {
  const guard = createGuard({ ...options, can: adapter.can(payload) });
  const faults: Fault[] = [];
  const memory = takeIn(saved, (state) => guard.restore(state), faults);
  const moment = { at, memory };
  const observe = (event: AgentEvent): [AgentEvent, Verdict] => [event, guard.observe(event)];
  const observed = adapter.read(payload, moment).map(observe);
  const verdicts = observed.map(([, verdict]) => verdict);
  const answer = adapter.write(verdicts, payload, moment);
  observed.push(...(answer?.events ?? []).map(observe));
  if (observed[0]) observed[0][1].faults.push(...faults);
  return {
    called: { plans: verdicts.flatMap(({ plan }) => plan ?? []), answer },
    change: {
      states: [{ ...guard.snapshot(session), memory } as unknown as Json],
      entries: observed.flatMap(([event, verdict], i) => entriesOf(event, verdict, `${saved.version}.${i}`, originOf(adapter, payload))),
    },
  };
}

const originOf = ({ name: host }: HookAdapter, payload: unknown): Origin => {
  const folder = redact(
    textOf((payload as { cwd?: unknown }).cwd)
      .split(/[\\/]/)
      .at(-1) ?? '',
  );
  return { host, ...(folder === '' ? {} : { folder }) };
};

/** Gives the guard its state back. One that cannot be read is a fault, and the session begins anew. */
function takeIn(saved: SavedState, restore: (state: HookState) => void, faults: Fault[]): HookMemory {
  try {
    const state = saved.read() as HookState | null;
    if (state) restore(state);
    return state?.memory ?? [];
  } catch (error) {
    faults.push(toFault('ledger', error));
    return [];
  }
}

function replyOf({ plans, answer }: HookCalled): HookReply {
  const escalations = plans.filter(({ rung }) => rung === 'escalate');
  if (!answer) return { ...NO_REPLY, escalations };
  const { stdout, exitCode } = answer;
  return { stdout: stdout === undefined ? '' : typeof stdout === 'string' ? stdout : JSON.stringify(stdout), exitCode, escalations };
}
