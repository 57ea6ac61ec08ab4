import { describeAction, type ScreenAction } from '../action.ts';
import type { Director, DirectorView, Gate } from './gate.ts';

const ALLOWED = new Set<ScreenAction['type']>(['click', 'scroll', 'key_press', 'wait']);

/** Asks a stronger model once per loop. It sees labels, never values, and cannot type. */
export const director: Gate = {
  name: 'director',
  needsLoop: true,
  async decide({ director: ask, memory, proposal, page, task, forms, screenshot }) {
    if (!ask || memory.directed || proposal.action.type === 'done') return null;
    memory.directed = true;
    const action = await asked(ask, {
      task,
      // The query may contain typed values.
      url: page.url.split('?', 1)[0]!,
      screenshot,
      viewport: page.viewport,
      proposed: describeAction(proposal.action),
      pending: forms.missing,
    });
    if (!action || !ALLOWED.has(action.type)) return null;
    return {
      gate: 'director',
      action,
      reason: 'director',
      why: `This was a loop, so another action was performed instead: ${describeAction(action)}.`,
    };
  },
};

/** An error of the director counts as no idea; the run continues. */
async function asked(ask: Director, view: DirectorView): Promise<ScreenAction | null> {
  try {
    const answer = await ask(view);
    return answer && 'action' in answer ? answer.action : (answer ?? null);
  } catch {
    return null;
  }
}
