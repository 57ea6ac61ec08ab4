import { hash64 } from '@unrut/engine/hash';
import type { ContextEntry, Ledger } from '../ledger.ts';
import type { Alarm } from './alarm.ts';
import { changeSaid, type FalseAlarm, type Said, type SaidChange } from './said.ts';

/**
 * The scope of a false alarm: this call, every call of its tool, or everything that this detector
 * reports in the project.
 */
export type ForgiveScope = 'call' | 'tool' | 'project';

/** The ledger topic of false alarms and their evidence. */
export const FALSE_ALARMS = 'unrut/false-alarm';

export interface ForgiveOrder {
  alarm: Alarm;
  scope: ForgiveScope;
  /** The project's folder. */
  folder: string;
  /** Epoch milliseconds. */
  at: number;
}

/**
 * Records a false alarm with its evidence and applies it: weaker responses after the first report,
 * none after the second. `kept` is the path of a ledger file, or a function that changes settings
 * stored elsewhere.
 */
export async function forgive(
  ledger: Ledger,
  kept: string | ((at: number, change: SaidChange) => Promise<unknown>),
  order: ForgiveOrder,
): Promise<FalseAlarm> {
  const { alarm, at } = order;
  const wanted = identityOf(order);
  let forgiven: FalseAlarm | undefined;
  const changed = typeof kept === 'string' ? changeSaid.bind(undefined, kept) : kept;
  await changed(at, (said) => {
    const earlier = said.forgiven.find((each) => isSame(each, wanted));
    const times = (earlier?.times ?? 0) + 1;
    forgiven = { ...wanted, label: alarm.label, times, silent: times > 1, at };
    return { ...said, forgiven: [...said.forgiven.filter((each) => each !== earlier), forgiven] };
  });
  await ledger.update([], () => ({ context: [recordOf(order, forgiven!)] }));
  return forgiven!;
}

/**
 * Withdraws the newest false alarm, the one with this number in `unrut config`, or all. Returns
 * those that were withdrawn.
 */
export function unforgive(
  ledgerPath: string,
  at: number,
  which: number | 'all' | undefined,
): FalseAlarm[] {
  let undone: FalseAlarm[] = [];
  changeSaid(ledgerPath, at, (said: Said) => {
    const { forgiven } = said;
    undone =
      which === 'all'
        ? [...forgiven]
        : [forgiven[which === undefined ? forgiven.length - 1 : which - 1]].flatMap(
            (each) => each ?? [],
          );
    return { ...said, forgiven: forgiven.filter((each) => !undone.includes(each)) };
  });
  return undone;
}

type Identity = Pick<FalseAlarm, 'keys' | 'tool' | 'detectors' | 'folder'>;

function identityOf({ alarm, scope, folder }: ForgiveOrder): Identity {
  const { keys, detectors } = alarm;
  if (scope === 'project') return { detectors, folder };
  if (scope === 'tool' && alarm.tool !== undefined) return { tool: alarm.tool };
  return { keys };
}

const isSame = (one: Identity, other: Identity): boolean =>
  one.folder === other.folder &&
  one.tool === other.tool &&
  share(one.detectors, other.detectors) &&
  share(one.keys, other.keys);

const share = (one: readonly string[] | undefined, other: readonly string[] | undefined): boolean =>
  one === other ||
  (one !== undefined && other !== undefined && one.some((each) => other.includes(each)));

const recordOf = ({ alarm, scope, at }: ForgiveOrder, { times }: FalseAlarm): ContextEntry => ({
  id: `${FALSE_ALARMS}/${at}/${hash64(alarm.session + alarm.step)}`,
  session: alarm.session,
  timestamp: at,
  entryType: 'false-alarm',
  topic: FALSE_ALARMS,
  content: `${alarm.label}: ${alarm.signal.text}`,
  relatedTasks: [],
  confidence: 1,
  metadata: {
    scope,
    times,
    step: alarm.step,
    ...alarm.signal,
    keys: [...alarm.keys],
    detectors: [...alarm.detectors],
    ...(alarm.rung === undefined ? {} : { rung: alarm.rung }),
  },
});

/** A description of the false alarm's scope. */
export const whatOf = ({ keys, tool, detectors = [], label }: FalseAlarm): string =>
  keys
    ? `the call \`${label}\``
    : tool === undefined
      ? `${detectors.join(' and ')} in this project`
      : `every call of \`${tool}\``;

/** A description of its effect. */
export const forgivenText = (alarm: FalseAlarm): string =>
  `Noted as a false alarm: ${whatOf(alarm)}. From now on Unrut ${
    alarm.silent
      ? 'says nothing about it'
      : 'adds no more than a note; tell it once more, and it says nothing'
  }. Undo: unrut false-alarm --undo`;
