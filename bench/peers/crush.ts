import { digest } from './call-key.ts';
import { definePeer } from './define-peer.ts';
import { act } from './peer.ts';

const STEPS = 10;
const TIMES = 5;

/**
 * Crush, per prompt: one step (its calls with their outputs) more than five times among the last
 * ten. Stops without a word.
 */
export const crush = definePeer('Crush', () => {
  let steps: string[] = [];
  let step = { round: '', calls: '' };
  return {
    result({ tool, args, result, round }) {
      if (round === step.round) steps.pop();
      else step = { round, calls: '' };
      step.calls += `${tool}\0${JSON.stringify(args)}\0${result}\0`;
      const signature = digest(step.calls);
      steps = [...steps, signature].slice(-STEPS);
      if (steps.length < STEPS) return;
      const most = Math.max(...steps.map((one) => steps.filter((other) => other === one).length));
      return most > TIMES ? act('stop') : null;
    },
    user() {
      steps = [];
      step = { round: '', calls: '' };
    },
  };
});
