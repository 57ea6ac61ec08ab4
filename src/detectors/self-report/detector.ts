import * as option from '../../option-kinds.ts';
import { type Recent, recall, remember } from '../../recent.ts';
import { defineDetector } from '../detector.ts';

interface State {
  /** For each speaker, how many records in a row report a loop, and the step of the first. */
  reports: Recent<{ count: number; since: number }>;
}

const MAX_SPEAKERS = 4;

export const selfReport = defineDetector({
  name: 'self-report',
  status: 'stable',
  watches: ['text-added'],
  rungs: { first: 'note', highest: 'hint' },
  options: {
    reports: option.integer(2, { from: 1 }, 'Records in a row that speak of a loop.'),
  },
  start: (): State => ({ reports: [] }),

  step(state, seen, { reports }) {
    const inLoop = seen.text?.reportsLoop ?? null;
    if (inLoop === null) return null;
    if (!inLoop) {
      state.reports = state.reports.filter(([speaker]) => speaker !== seen.speaker);
      return null;
    }
    const report = recall(state.reports, seen.speaker) ?? { count: 0, since: seen.step };
    remember(state.reports, seen.speaker, report, MAX_SPEAKERS);
    report.count++;
    const { count, since } = report;
    if (count < reports) return null;
    return { variant: 'in-loop', count, since, keys: [`self-report:${seen.speaker}`], strength: 0.6, facts: {} };
  },

  explain: ({ count }) => `the record of progress said ${count} times in a row that this is a loop`,

  moves: ['leave out of the next plan what was tried since the work last got on', 'finish with what is known and say what is missing'],
});
