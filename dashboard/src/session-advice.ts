import type { SessionRow } from '../../src/server/api/answers.ts';

/** What somebody who sees a session should do about it; nothing where there is nothing to do. */
export function adviceOn({ state, highest, acted, plans, looping }: SessionRow): string {
  if (state === 'silent' && looping) return 'It went silent while it was looping. See where it got stuck before you resume it.';
  if (state !== 'looping') return '';
  if (acted.plans === 0)
    return plans === 0
      ? 'Unrut has only just noticed. Nothing to do yet.'
      : 'Unrut only records here (shadow mode). Interrupt the agent, or let Unrut act: remove shadow from the settings (unrut config shows where it is set).';
  if (highest === 'escalate' || highest === 'stop')
    return 'It needs you: interrupt the agent, and tell it another way or give it what is missing.';
  return 'Unrut is on it. Step in if it is still looping in a few steps.';
}
