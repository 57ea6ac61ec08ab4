import type { OutcomeRule } from './outcome.ts';
import { statedRules } from './stated-rules.ts';
import { textRules } from './text-rules.ts';

/**
 * How a result's outcome is read, in this order: who rejected the call, what the host says, what
 * the envelope and the fields state, what the tool says in words, and last what the output of a
 * command looks like. README.md has cases for each rule.
 */
export const outcomeRules: readonly OutcomeRule[] = [...statedRules, ...textRules];
