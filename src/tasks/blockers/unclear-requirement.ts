import type { BlockerKind } from './blocker-kind.ts';

export const unclearRequirement: BlockerKind = {
  name: 'unclear-requirement',
  matches:
    /\b(?:unclear|ambiguous|unspecified|not specified|which (?:one|option)|needs? (?:a )?(?:decision|clarification)|waiting for (?:an? )?(?:answer|decision|review)|requirements?)\b/i,
  ways: {
    'simplest-reading': 'take the simplest reading that can be changed later, and write down that you assumed it',
    'part-that-is-clear': 'do the part that is clear, and list the open questions, each with the answer you would choose',
  },
};
