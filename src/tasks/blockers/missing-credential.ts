import type { BlockerKind } from './blocker-kind.ts';

export const missingCredential: BlockerKind = {
  name: 'missing-credential',
  matches: /\b(?:credentials?|auth(?:entication)? token|access token|api[- _]?key|secret|password|log ?in|401|unauthori[sz]ed)\b/i,
  ways: {
    'fake-at-the-edge': 'put the call behind a small interface, and finish and test against a fake of it',
    'name-the-variable': 'write down which variable or file must hold the credential, and who can give it; never look for one yourself',
  },
};
