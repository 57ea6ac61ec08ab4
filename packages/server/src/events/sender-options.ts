import type { HookSettings } from '@unrut/agents/hook/answer-hook';
import { type Capability, RUNGS } from '@unrut/engine/event';
import type { GuardOptions } from '@unrut/engine/guard';
import { tellsSomebody } from '@unrut/ledger/notify/notify';
import { forgivenIn } from '@unrut/ledger/people/said';
import type { PeopleSaid } from '../people-said.ts';

const CAPABILITIES: readonly string[] = RUNGS;

/** What a request says about its sender. */
interface AskedRules {
  can?: string | undefined;
  shadow: boolean;
  /** False: in no trial. */
  tried?: boolean;
  /** `1` or `0`: whether the sender asks somebody. */
  attended?: string | undefined;
}

export type OptionsFor = (asked: AskedRules) => GuardOptions | string;

/**
 * The rules of a request: the server's, for what the sender can do. The same request gets the same
 * object. Or what is wrong with it.
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
      // Nobody reads along here: whether somebody is asked, only the sender or `notify` can know.
      attended: says === undefined ? (attended ?? tellsSomebody(notify)) : says === '1',
      ...(able ? { can: able as Capability[] } : {}),
      ...(shadow ? { shadow } : {}),
    };
    made.set(key, options);
    return options;
  };
}
