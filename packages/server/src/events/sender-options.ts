import type { HookSettings } from '@unrut/agents/hook/answer-hook';
import { type Capability, RUNGS } from '@unrut/engine/event';
import type { GuardOptions } from '@unrut/engine/guard';
import { tellsSomebody } from '@unrut/ledger/notify/notify';
import { forgivenIn } from '@unrut/ledger/people/said';
import type { PeopleSaid } from '../people-said.ts';

const CAPABILITIES: readonly string[] = RUNGS;

/** The rules in a request's headers. */
interface AskedRules {
  can?: string | undefined;
  shadow: boolean;
  /** False: in no trial. */
  tried?: boolean;
  /** `1` or `0`: whether a user can be asked. */
  attended?: string | undefined;
}

export type OptionsFor = (asked: AskedRules) => GuardOptions | string;

/**
 * The rules of a request: the server's, limited to the sender's abilities; or an error. Equal
 * requests return the same object.
 */
export function createOptions(
  { guard: { trial, ...guard }, attended, notify }: HookSettings,
  people: PeopleSaid | undefined,
): OptionsFor {
  const made = new Map<string, GuardOptions>();
  let said = people?.now();
  return ({ can, shadow, tried = true, attended: says }) => {
    if (said !== people?.now()) made.clear();
    said = people?.now();
    const names = can === undefined ? undefined : [...new Set(can.split(','))].sort();
    const unknown = names?.find((name) => !CAPABILITIES.includes(name));
    if (unknown !== undefined)
      return `expected names of ${CAPABILITIES.join(', ')} after ?can=, got ${unknown}.`;
    const key = `${names?.join() ?? ''} ${shadow} ${tried} ${says ?? ''}`;
    const known = made.get(key);
    if (known) return known;
    // Notifications bypass the sender, so escalation is possible whenever `notify` is set.
    const able = names && notify ? [...names, 'escalate'] : names;
    const options: GuardOptions = {
      ...guard,
      ...(tried && trial ? { trial } : {}),
      ...(said ? { forgiven: forgivenIn(said, process.cwd()) } : {}),
      // The server has no user, so only the sender or `notify` can tell whether somebody can be
      // asked.
      attended: says === undefined ? (attended ?? tellsSomebody(notify)) : says === '1',
      ...(able ? { can: able as Capability[] } : {}),
      ...(shadow ? { shadow } : {}),
    };
    made.set(key, options);
    return options;
  };
}
