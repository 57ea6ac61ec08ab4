import type { BlockerOutcomes } from './task-state.ts';

/** A kind of blocker, and what to try first. */
interface BlockerKind {
  /** Kebab-case. */
  name: string;
  matches: RegExp;
  /** Workarounds by short name, most promising first. Outcomes are stored under these names. */
  ways: Readonly<Record<string, string>>;
}

const unclearRequirement: BlockerKind = {
  name: 'unclear-requirement',
  matches:
    /\b(?:unclear|ambiguous|unspecified|not specified|which (?:one|option)|needs? (?:a )?(?:decision|clarification)|waiting for (?:an? )?(?:answer|decision|review)|requirements?)\b/i,
  ways: {
    'simplest-reading':
      'take the simplest reading that can be changed later, and write down that you assumed it',
    'part-that-is-clear':
      'do the part that is clear, and list the open questions, each with the answer you would choose',
  },
};

const missingDependency: BlockerKind = {
  name: 'missing-dependency',
  matches:
    /\b(?:not installed|command not found|cannot find (?:module|package)|no such (?:package|module|file)|missing (?:dependency|package|module|tool|library|binary)|depends on)\b/i,
  ways: {
    'what-is-there':
      'look at what is installed and at how the project itself does it, and use that',
    'thin-stub': 'write a thin stub with the same interface, and mark it as debt',
  },
};

const unavailableService: BlockerKind = {
  name: 'unavailable-service',
  matches:
    /\b(?:unavailable|unreachable|offline|down|timed? ?out|ECONNREFUSED|ENOTFOUND|50[234]|critic|rate limit\w*|network)\b/i,
  ways: {
    'go-on-without':
      'finish everything that does not need it, and write down what is to be checked when it is back',
    'local-stand-in': 'use a local stand-in or a recorded answer',
  },
};

const noPermission: BlockerKind = {
  name: 'no-permission',
  matches:
    /\b(?:permission|denied|forbidden|403|EACCES|EPERM|read-only|not allowed|sandbox(?:ed)?)\b/i,
  ways: {
    'stay-inside': 'do it where you may write, inside the project folder',
    'say-what-is-missing':
      'say exactly which permission is missing and for what; do not widen it yourself',
  },
};

const missingCredential: BlockerKind = {
  name: 'missing-credential',
  matches:
    /\b(?:credentials?|auth(?:entication)? token|access token|api[- _]?key|secret|password|log ?in|401|unauthori[sz]ed)\b/i,
  ways: {
    'fake-at-the-edge':
      'put the call behind a small interface, and finish and test against a fake of it',
    'name-the-variable':
      'write down which variable or file must hold the credential, and who can give it; never look for one yourself',
  },
};

const failingBefore: BlockerKind = {
  name: 'failing-before',
  matches:
    /\b(?:pre-?existing|already fail\w*|fail\w* before|unrelated (?:test|failure)|flaky|broken (?:build|test|main))\b/i,
  ways: {
    'show-it-failed-before':
      'show that it fails without your change, write that down, and judge your change by the other tests',
    'mend-first': 'mend it first if it is small, as a change of its own',
  },
};

/** Known kinds of blockers; the first that matches counts. */
export const blockerKinds: readonly BlockerKind[] = [
  failingBefore,
  missingCredential,
  noPermission,
  missingDependency,
  unavailableService,
  unclearRequirement,
];

/** A workaround that can be suggested. */
export interface WayAround {
  /** Kind and name of the workaround; its outcomes are stored under this key. */
  key: string;
  blocker: string;
  text: string;
}

/** Minimum number of cases before outcomes change the order. Fewer are mostly chance. */
const ENOUGH = 3;

/**
 * Suggests workarounds for each blocker of a known kind, in the order of the catalogue unless the
 * outcomes justify another.
 */
export function waysAround(blockers: readonly string[], outcomes: BlockerOutcomes): WayAround[] {
  return blockers.flatMap((blocker) => {
    const kind = blockerKinds.find(({ matches }) => matches.test(blocker));
    if (!kind) return [];
    const ways = Object.entries(kind.ways).map(([name, text]) => ({
      key: `${kind.name}/${name}`,
      blocker,
      text,
    }));
    const share = ({ key }: WayAround): number => {
      const { gone, times } = outcomes[key] ?? { gone: 0, times: 0 };
      return times < ENOUGH ? 0.5 : (gone + 1) / (times + 2);
    };
    return ways.sort((a, b) => share(b) - share(a)).slice(0, 1);
  });
}

/** Counts the outcomes of the suggested workarounds. */
export function learnWays(
  outcomes: BlockerOutcomes,
  keys: readonly string[],
  isGone: boolean,
): void {
  for (const key of keys) {
    const { gone, times } = outcomes[key] ?? { gone: 0, times: 0 };
    outcomes[key] = { gone: gone + (isGone ? 1 : 0), times: times + 1 };
  }
}
