import { director } from './director.ts';
import { doneGate } from './done-gate.ts';
import { forceFill } from './force-fill.ts';
import { forceSubmit } from './force-submit.ts';
import type { Gate, GateSituation, Substitution } from './gate.ts';
import { loopRecovery } from './loop-recovery.ts';
import { topClickGuard } from './top-click-guard.ts';

/** Every proposal passes them in this order. The first that substitutes has the last word. */
export const GATES: readonly Gate[] = [
  doneGate,
  forceFill,
  forceSubmit,
  director,
  topClickGuard,
  loopRecovery,
];

/**
 * What is to be done in place of a proposal, if anything. What needs a loop is up to the guard's
 * policy.
 */
export async function passGates(situation: GateSituation): Promise<Substitution | null> {
  for (const gate of GATES) {
    // Before a wall nothing is forced: that is for a person.
    if (situation.off.has(gate.name) || (situation.page.wall && gate !== doneGate)) continue;
    if (gate.needsLoop && situation.loop === 'none') continue;
    const substitution = await gate.decide(situation);
    if (substitution) return gate.needsLoop ? { ...substitution, needsLoop: true } : substitution;
  }
  return null;
}
