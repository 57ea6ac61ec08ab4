import * as option from '../../option-kinds.ts';
import { type Recent, recall, remember } from '../../recent.ts';
import { defineDetector } from '../detector.ts';

interface State {
  /**
   * For each speaker: how many more records than not speak of a loop, how many do since the first
   * of them, and its step.
   */
  reports: Recent<{ stalls: number; count: number; since: number }>;
}

const MAX_SPEAKERS = 4;
/** At this many the orchestrators make a new plan and begin to count again. */
const MAX_STALLS = 3;

export const selfReport = defineDetector({
  name: 'self-report',
  status: 'stable',
  watches: ['text-added'],
  rungs: { first: 'note', highest: 'hint' },
  options: {
    reports: option.integer(
      2,
      { from: 1, to: MAX_STALLS },
      'Records that speak of a loop, less those since then that do not.',
    ),
  },
  start: (): State => ({ reports: [] }),

  step(state, seen, { reports }) {
    const inLoop = seen.text?.reportsLoop ?? null;
    if (inLoop === null) return null;
    const known = recall(state.reports, seen.speaker);
    const report = known && known.stalls > 0 ? known : { stalls: 0, count: 0, since: seen.step };
    remember(state.reports, seen.speaker, report, MAX_SPEAKERS);
    // As the orchestrators count their stalls: one good record takes back one bad record, not all
    // of them.
    report.stalls = inLoop
      ? Math.min(report.stalls + 1, MAX_STALLS)
      : Math.max(report.stalls - 1, 0);
    if (!inLoop) return null;
    report.count++;
    const { stalls, count, since } = report;
    if (stalls < reports) return null;
    return {
      variant: 'in-loop',
      count,
      since,
      keys: [`self-report:${seen.speaker}`],
      strength: 0.6,
      facts: {},
    };
  },

  explain: ({ count }) => `the record of progress has said ${count} times that this is a loop`,

  moves: [
    'plan something that was not tried since the last progress',
    'finish with what is known and say what is missing',
  ],
});
