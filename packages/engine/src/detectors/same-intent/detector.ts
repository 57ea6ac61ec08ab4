import type { Fingerprint } from '../../fingerprint/fingerprint.ts';
import { overlap } from '../../fingerprint/sketch.ts';
import { ENDS_MESSAGE } from '../../fingerprint/text.ts';
import * as option from '../../option-kinds.ts';
import type { CallPrint } from '../../prints.ts';
import { push } from '../../recent.ts';
import { defineDetector } from '../detector.ts';
import { isFile, targetsOf } from '../edits.ts';

interface Deed {
  /** The tool and its target. */
  deed: string;
  key: string;
  reason: number[];
  screen: number[];
  step: number;
}

interface State {
  /** Words of the last message or thought; empty again after a call. */
  reason: number[];
  deeds: Deed[];
}

const VOCABULARY = 32;

/**
 * The tool and its target. Reads of one file count as equal only if they ask for the same part of
 * it.
 */
const deedOf = ({ tool, target, key, verb }: CallPrint): string =>
  `${tool} ${target === null || (verb === 'read' && isFile(target)) ? key : target}`;

/** After an edit of a file, running or reading something again is a new question. */
const isEdit = ({ call, progress }: Fingerprint): boolean =>
  progress === 'write' && targetsOf(call!).some(isFile);

/**
 * The same place on another screen is another thing. A screen without a description may be the
 * same.
 */
const isSameScreen = (one: readonly number[], other: readonly number[], alike: number): boolean =>
  one.length === 0 || other.length === 0 || overlap(one, other, VOCABULARY) >= alike;

/**
 * A read without a recorded result may have shown anything. For other actions, the next screen shows
 * what they did.
 */
const isUnseen = ({ call, result }: Fingerprint): boolean =>
  result?.known === false && call?.verb === 'read';

export const sameIntent = defineDetector({
  name: 'same-intent',
  status: 'witness',
  watches: ['text-added', ...ENDS_MESSAGE],
  rungs: { first: 'note', highest: 'hint' },
  options: {
    threshold: option.integer(
      3,
      { from: 2 },
      'Equal actions for the same reason, including the latest, that make a loop.',
    ),
    window: option.integer(
      13,
      { from: 2, to: 40 },
      'Recent calls among which the equal actions must be.',
    ),
    alike: option.share(
      0.3,
      'Share of words, except the most common, that the reasons have in common.',
    ),
    alikeScreens: option.share(
      0.5,
      'Share of words that the screen descriptions have in common, if the host provides them.',
    ),
  },
  start: (): State => ({ reason: [], deeds: [] }),

  step(state, seen, { threshold, window, alike, alikeScreens }) {
    if (seen.text?.message) state.reason = seen.text.message.vocabulary;
    const { call, result, progress, step } = seen;
    if (!call || !result) return null;
    if (isEdit(seen)) state.deeds = [];
    const now: Deed = {
      deed: deedOf(call),
      key: call.key,
      reason: state.reason,
      screen: seen.screen ?? [],
      step,
    };
    state.reason = [];
    const same = state.deeds
      .slice(1 - window)
      .filter(
        ({ deed, reason, screen }) =>
          deed === now.deed &&
          overlap(reason, now.reason, VOCABULARY) >= alike &&
          isSameScreen(screen, now.screen, alikeScreens),
      );
    // An action that brought progress was worth doing and does not count against later ones.
    push(state.deeds, progress ? { ...now, reason: [] } : now, window);
    if (progress || isUnseen(seen) || same.length + 1 < threshold + (result.known ? 0 : 1))
      return null;
    const [first] = same;
    if (!first) return null;
    return {
      variant: result.known ? 'nothing-new' : 'no-effect-known',
      count: same.length + 1,
      since: first.step,
      keys: [...new Set([...same.map(({ key }) => key), now.key])],
      ...(call.target === null ? {} : { target: call.target }),
      strength: result.known ? 0.7 : 0.5,
      facts: { call: call.label, known: result.known },
    };
  },

  explain({ count, facts }) {
    return facts.known
      ? `\`${facts.call}\` was tried ${count} times for the same reason, and its results showed nothing new`
      : `\`${facts.call}\` was tried ${count} times for the same reason, and no result shows what it did`;
  },

  moves: [
    'look at what the last try changed before trying again',
    'reach the goal another way than by this call',
    'if it cannot be done from here, report what you tried and what is missing',
  ],
});
