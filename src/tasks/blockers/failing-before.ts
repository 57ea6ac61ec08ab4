import type { BlockerKind } from './blocker-kind.ts';

export const failingBefore: BlockerKind = {
  name: 'failing-before',
  matches: /\b(?:pre-?existing|already fail\w*|fail\w* before|unrelated (?:test|failure)|flaky|broken (?:build|test|main))\b/i,
  ways: {
    'show-it-failed-before': 'show that it fails without your change, write that down, and judge your change by the other tests',
    'mend-first': 'mend it first if it is small, as a change of its own',
  },
};
