import type { SessionRow } from '@unrut/server/api/answers';

/** Min number of loops of one agent that are no coincidence. */
const OFTEN = 3;

/** It is stuck, and all that Unrut can do without a human was in vain. */
export const needsHuman = ({ state, highest, acted }: SessionRow): boolean =>
  state === 'looping' && acted.plans > 0 && (highest === 'escalate' || highest === 'stop');

/** Advice for the viewer of a session; undefined if no action is needed. */
export function adviceOn(session: SessionRow, wasStopIgnored = false): string {
  const { state, acted, plans, looping, loops, stall, highest, stuck } = session;
  if (state === 'stopped')
    return 'Unrut stopped it, since nothing else helped. Give it what is missing, then resume it.';
  if (state === 'stalled')
    return stall?.of === 'call'
      ? 'See whether the call hangs or waits for your permission. Interrupt it if it hangs.'
      : 'See whether the agent still runs. Its connection to the model may have died: interrupt and resume it.';
  if (state === 'silent' && looping)
    return 'It went silent while it was looping. See where it got stuck before you resume it.';
  if (state === 'ended' && highest === 'stop' && !stuck && !wasStopIgnored)
    return 'Unrut stopped it, since nothing else helped. Give it what is missing before you start it again.';
  if (state === 'ended' && acted.persisted > 0 && acted.recovered === 0)
    return 'Nothing got it out of its loop. See where it got stuck before you start it again.';
  if ((state === 'running' || state === 'silent') && loops >= OFTEN)
    return 'It keeps falling back into loops. See below what repeats, and give it what is missing.';
  if (state !== 'looping') return '';
  if (acted.plans === 0)
    return plans === 0
      ? 'Unrut has only just noticed. Nothing to do yet.'
      : 'Unrut only records here (shadow mode). Interrupt the agent, or let Unrut act: remove shadow from the settings (unrut config shows where it is set).';
  if (needsHuman(session))
    return 'It needs you: interrupt the agent, and tell it another way or give it what is missing.';
  return 'Unrut is on it. Step in if it is still looping in a few steps.';
}
