import * as option from '../option-kinds.ts';
import type { ErrorPrint } from '../prints.ts';
import { type Recent, recall, remember } from '../recent.ts';
import { defineDetector } from './detector.ts';

interface Entry {
  count: number;
  since: number;
  class: string;
}

export interface RefusalOptions<Name extends string> {
  name: Name;
  refusal: NonNullable<ErrorPrint['refusal']>;
  /** Counts each tool separately, and only while the reason stays the same. */
  perTool: boolean;
  what(count: number, tool: string): string;
  moves: readonly string[];
}

const MAX_TOOLS = 8;

/** A detector of calls that are refused before any tool runs, whatever their names or arguments. */
/* @__NO_SIDE_EFFECTS__ */
export function refusalDetector<const Name extends string>({
  name,
  refusal,
  perTool,
  what,
  moves,
}: RefusalOptions<Name>) {
  return defineDetector({
    name,
    status: 'stable',
    watches: ['call-finished'],
    rungs: { first: 'note', highest: 'stop' },
    options: { threshold: option.integer(3, { from: 2 }, 'Refusals that make a loop.') },
    start: (): { tools: Recent<Entry> } => ({ tools: [] }),

    step(state, seen, { threshold }) {
      const { call, result } = seen;
      if (!call || !result) return null;
      const group = perTool ? call.tool : '';
      if (result.error?.refusal !== refusal) {
        if (!result.error && (perTool || seen.progress))
          state.tools = state.tools.filter(([tool]) => tool !== group);
        return null;
      }
      const before = recall(state.tools, group);
      const same = before !== undefined && (!perTool || before.class === result.error.class);
      const entry = same ? before : { count: 0, since: seen.step, class: result.error.class };
      entry.count++;
      remember(state.tools, group, entry, MAX_TOOLS);
      if (entry.count < threshold) return null;
      return {
        variant: 'refused',
        count: entry.count,
        since: entry.since,
        keys: [`refused:${name}:${group}`, `error:${result.error.class}`, call.key],
        equal: result.sameInARow >= threshold,
        strength: 0.9,
        facts: { tool: seen.named ?? call.tool },
      };
    },

    explain: ({ count, facts }) => what(count, String(facts.tool)),
    moves,
  });
}
