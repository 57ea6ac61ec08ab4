import { describeAction, type ScreenAction } from '../action.ts';
import type { Director, DirectorView, Gate } from './gate.ts';

const ALLOWED = new Set<ScreenAction['type']>(['click', 'scroll', 'key_press', 'wait']);

/** A stronger model is asked once in a loop. It sees labels, never values, and may not type. */
export const director: Gate = {
  name: 'director',
  needsLoop: true,
  async decide({ director: ask, memory, proposal, page, task, forms, screenshot }) {
    if (!ask || memory.directed || proposal.action.type === 'done') return null;
    memory.directed = true;
    const action = await asked(ask, {
      task,
      // What follows the question mark may be what was typed.
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
      why: `This was going round, so something else was done instead: ${describeAction(action)}.`,
    };
  },
};

/** A director that fails is one without an idea: the run goes on. */
async function asked(ask: Director, view: DirectorView): Promise<ScreenAction | null> {
  try {
    const answer = await ask(view);
    return answer && 'action' in answer ? answer.action : (answer ?? null);
  } catch {
    return null;
  }
}
