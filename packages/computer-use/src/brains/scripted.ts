import type { Proposal } from '../action.ts';
import type { Brain, View } from '../brain.ts';

/**
 * A brain for tests and demos: a list of proposals, of which the last one repeats, or a function of
 * the view.
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
