import type { BlockerKind } from './blocker-kind.ts';

export const missingDependency: BlockerKind = {
  name: 'missing-dependency',
  matches:
    /\b(?:not installed|command not found|cannot find (?:module|package)|no such (?:package|module|file)|missing (?:dependency|package|module|tool|library|binary)|depends on)\b/i,
  ways: {
    'what-is-there': 'look at what is installed and at how the project itself does it, and use that',
    'thin-stub': 'write a thin stub with the same interface, and mark it as debt',
  },
};
