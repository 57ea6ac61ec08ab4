import { option } from '../../option.ts';
import { type Recent, recall, remember } from '../../recent.ts';
import { defineDetector } from '../detector.ts';

interface Entry {
  class: string;
  count: number;
  since: number;
  /** The call that failed last. */
  key: string;
  keys: string[];
  /** Writes that went through since the first of these errors. */
  edits: number;
  transient: number;
}

const MAX_TOOLS = 16;

export const repeatedError = defineDetector({
  name: 'repeated-error',
  status: 'stable',
  watches: ['call-finished'],
  alsoNeutral: ['transient-error'],
  rungs: { first: 'note', highest: 'stop' },
  advises: ['transient'],
  options: {
    threshold: option.integer(3, { from: 2 }, 'Errors of one kind from one tool that make a loop.'),
    thresholdAfterEdits: option.integer(4, { from: 2 }, 'The same, if each error came after an edit.'),
  },
  start: (): { tools: Recent<Entry> } => ({ tools: [] }),

  step({ tools }, seen, { threshold, thresholdAfterEdits }) {
    const { call, result } = seen;
    if (!call || !result) return null;
    if (!result.error) {
      const index = tools.findIndex(([tool]) => tool === call.tool);
      if (index >= 0) tools.splice(index, 1);
      if (seen.progress === 'write') for (const [, entry] of tools) entry.edits++;
      return null;
    }
    const { error } = result;
    const before = recall(tools, call.tool);
    const entry = before ?? { class: '', count: 0, since: seen.step, key: '', keys: [], edits: 0, transient: 0 };
    remember(tools, call.tool, entry, MAX_TOOLS);
    if (error.transient) {
      entry.transient++;
      if (entry.transient < threshold) return null;
      return {
        variant: 'transient',
        count: entry.transient,
        since: entry.since,
        keys: [`transient:${call.tool}`],
        strength: 0.6,
        cap: 'note',
        facts: { tool: call.tool, error: error.label, first: entry.since },
      };
    }
    // The same call failing in another way, fewer failures, or a long message that is mostly new: the answer says something.
    const told = (entry.key === call.key && result.run === 1) || seen.progress === 'falling' || seen.progress === 'novel';
    if (entry.class !== error.class || told) Object.assign(entry, { class: error.class, count: 1, since: seen.step, keys: [], edits: 0 });
    else entry.count++;
    entry.key = call.key;
    if (!entry.keys.includes(call.key)) entry.keys = [...entry.keys, call.key].slice(-6);
    const edited = entry.edits >= entry.count - 1;
    if (entry.count < (edited ? thresholdAfterEdits : threshold)) return null;
    return {
      variant: edited ? 'after-edits' : 'persistent',
      count: entry.count,
      since: entry.since,
      keys: [`error:${error.class}`, ...entry.keys],
      ...(call.target === null ? {} : { target: call.target }),
      strength: edited ? 0.7 : 0.8,
      facts: { tool: call.tool, error: error.label, first: entry.since },
    };
  },

  explain({ count, variant, facts }) {
    if (variant === 'transient') return `\`${facts.tool}\` was turned away ${count} times by a temporary error (${facts.error})`;
    const despite = variant === 'after-edits' ? ', each time after another edit' : '';
    return `\`${facts.tool}\` failed ${count} times in a row in the same way${despite} (${facts.error})`;
  },

  moves: ({ variant }) =>
    variant === 'transient'
      ? ['wait before trying again, twice as long each time, and do something else meanwhile', 'if it keeps failing, report it']
      : variant === 'after-edits'
        ? [
            'read the failing lines and print the actual value before the next edit',
            'check that the edited code is what runs',
            'revert to the last better state and look for the cause elsewhere',
          ]
        : [
            'find out what the error depends on before the next try',
            'reach the goal with another tool or in another way',
            'if something is missing that you cannot provide, report it',
          ],
});
