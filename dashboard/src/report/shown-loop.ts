import type { ReportLoop, ReportRun } from '../../../src/report/html/scan-page.ts';
import { momentOf } from '../../../src/report/html/scan-timeline.ts';
import type { Act } from '../loop-words.ts';
import type { LoopShown } from '../parts/loop-details.tsx';

/** A loop of a scan as the dashboard shows the loops of a session. */
export function shownLoop(run: ReportRun, loop: ReportLoop): LoopShown {
  const { light, start, firedAt, end, wastedSteps, wastedTokens = 0, wastedUsd = 0, count, repeats } = loop;
  const wasted = { steps: wastedSteps, tokens: wastedTokens, usd: wastedUsd };
  const place = { start: momentOf(start, run), noticed: momentOf(firedAt, run), end: momentOf(end, run) };
  return {
    ...{ detector: loop.detector, also: loop.also, strength: loop.strength, text: loop.text, repeats, wasted, firedAt },
    ...{ since: start, last: end, isAdvice: light, isOpen: false, repeated: count },
    acts: actsOf(loop.plans),
    bursts: [{ since: start, firedAt, last: end, count, wasted, place }],
  };
}

/** Plans of one kind are one line. */
const actsOf = (plans: ReportLoop['plans']): Act[] =>
  [...Map.groupBy(plans, ({ rung, recovery }) => `${rung} ${recovery}`).values()].map((group) => {
    const [first, last] = [group[0]!, group.at(-1)!];
    const { rung, recovery, toHuman } = last;
    const toModel = last.toModel.replace(CANDIDATES, '').trim();
    return { rung, recovery, toModel, toHuman, shadow: true, times: group.length, first: first.step, last: last.step, notPerformed: 0 };
  });

/** Candidates with their scores are for the model. */
const CANDIDATES = /\s*Ranked recovery candidates:[\s\S]*$/;
