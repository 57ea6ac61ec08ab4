import { director } from './director.ts';
import { doneGate } from './done-gate.ts';
import { forceFill } from './force-fill.ts';
import { forceSubmit } from './force-submit.ts';
import type { Gate, GateSituation, Substitution } from './gate.ts';
import { loopRecovery } from './loop-recovery.ts';
import { topClickGuard } from './top-click-guard.ts';

/** The gates in the order in which every proposal passes them. The first substitution counts. */
export const GATES: readonly Gate[] = [
  doneGate,
  forceFill,
  forceSubmit,
  director,
  topClickGuard,
  loopRecovery,
];

/**
 * The substitution for a proposal, if there is one. The guard's policy decides on those that need a
 * loop.
 */
export async function passGates(situation: GateSituation): Promise<Substitution | null> {
  for (const gate of GATES) {
    // On a page that needs a human, nothing is forced.
    if (situation.off.has(gate.name) || (situation.page.wall && gate !== doneGate)) continue;
    if (gate.needsLoop && situation.loop === 'none') continue;
    const substitution = await gate.decide(situation);
    if (substitution) return gate.needsLoop ? { ...substitution, needsLoop: true } : substitution;
  }
  return null;
}
