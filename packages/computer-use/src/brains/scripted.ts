import type { Proposal } from '../action.ts';
import type { Brain, View } from '../brain.ts';

/**
 * A brain for tests and demonstrations: a list of proposals, the last one over and over, or a
 * function of what is seen.
 */
export function createScriptedBrain(
  script: readonly Proposal[] | ((view: View) => Proposal | Promise<Proposal>),
): Brain {
  if (typeof script === 'function') return { propose: async (view) => script(view) };
  let next = 0;
  return {
    async propose() {
      const proposal = script[Math.min(next++, script.length - 1)];
      return (
        proposal ?? { action: { type: 'done', success: false, summary: 'The script is empty.' } }
      );
    },
  };
}
