import type { BlockerKind } from './blocker-kind.ts';

export const noPermission: BlockerKind = {
  name: 'no-permission',
  matches: /\b(?:permission|denied|forbidden|403|EACCES|EPERM|read-only|not allowed|sandbox(?:ed)?)\b/i,
  ways: {
    'stay-inside': 'do it where you may write, inside the project folder',
    'say-what-is-missing': 'say exactly which permission is missing and for what; do not widen it yourself',
  },
};
