import type { BlockerKind } from './blocker-kind.ts';

export const unavailableService: BlockerKind = {
  name: 'unavailable-service',
  matches: /\b(?:unavailable|unreachable|offline|down|timed? ?out|ECONNREFUSED|ENOTFOUND|50[234]|critic|rate limit\w*|network)\b/i,
  ways: {
    'go-on-without': 'finish everything that does not need it, and write down what is to be checked when it is back',
    'local-stand-in': 'use a local stand-in or a recorded answer',
  },
};
