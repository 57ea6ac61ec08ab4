import type { Fingerprint } from '../../fingerprint/fingerprint.ts';
import { isRewording, jaccard } from '../../fingerprint/words.ts';
import type { ValuesOf } from '../../option.ts';
import * as option from '../../option-kinds.ts';
import { push, type Recent, recall, remember } from '../../recent.ts';
import type { Evidence } from '../../signal.ts';
import { defineDetector } from '../detector.ts';

interface Try {
  key: string;
  shape: string;
  words: number[];
  step: number;
  batch: string;
  /** Digest of the answer. */
  digest: string;
}

/** Lines that were written more than once. */
interface Copy {
  since: number;
  step: number;
  /** Each target that they were written to, the line, and how many times. */
  targets: { target: string; line: number; count: number }[];
  folder: string;
  keys: string[];
}

/** An action, with the novelty and the size of its result. */
interface Act extends Try {
  tool: string;
  novelty: number;
  size: number;
}

interface State {
  groups: Recent<Try[]>;
  acts: Act[];
  copies: Recent<Copy>;
}

const MAX_GROUPS = 8;
const MAX_COPIES = 4;
const MAX_ACTS = 10;
const MAX_TRIES = 6;
const MAX_WORDS = 16;
/** Fewer meaningful lines than this occur in many places by chance. */
const TELLING_LINES = 2;
/**
 * Two writes at most this many lines apart are at the same place, because lines above it come and
 * go.
 */
const NEAR = 12;
/** Steps after which an earlier write of the same lines no longer counts. */
const RECENTLY = 30;
const ASKS = new Set(['read', 'navigate', 'unknown']);
/**
 * A search through files shows known lines again and is still work, so only close variants of it
 * count.
 */
const SEARCHES_FILES = /grep|glob|files?\b|^ls$|^find$|_dir(?:ectory)?$/i;
/**
 * A search that swaps a word looks for something else. One that only adds or drops words has the
 * same subject.
 */
const ONLY_ADDS = 1;

const OPTIONS = {
  threshold: option.integer(4, { from: 2 }, 'Similar calls without new content that make a loop.'),
  equalAfter: option.integer(3, { from: 2 }, 'The same, if their answers are equal.'),
  alike: option.share(0.2, 'Share of words that similar calls have in common.'),
  alikeInFiles: option.share(0.6, 'The same, for file searches.'),
  fruitlessAfter: option.integer(
    5,
    { from: 2 },
    'Calls of one tool without new content that make a loop, whatever their words.',
  ),
  littleNew: option.share(0.2, 'Share of new content below which a result counts as not new.'),
  shortest: option.integer(
    20,
    { from: 0 },
    'Minimum length, in characters, of a result that is compared.',
  ),
  shortestFruitless: option.integer(80, { from: 0 }, 'The same, if the calls share no words.'),
  alikeActs: option.share(0.3, 'Share of words that similar actions have in common.'),
  staleActs: option.number(
    2.5,
    { from: 0 },
    'Known content in the results of similar actions, counted in results, that makes a loop.',
  ),
  rereads: option.integer(
    4,
    { from: 2 },
    'Looks at parts of one file, all of them known, that make a loop.',
  ),
  copies: option.integer(
    3,
    { from: 2 },
    'Times that the same lines are written to the same place that make a loop.',
  ),
  copiesElsewhere: option.integer(4, { from: 2 }, 'Files of one folder that get the same lines.'),
  shortestAct: option.integer(
    500,
    { from: 0 },
    'Minimum length, in characters, of a result that shows what an action did.',
  ),
};
type Options = ValuesOf<typeof OPTIONS>;

export const nearRepeat = defineDetector({
  name: 'near-repeat',
  status: 'stable',
  watches: ['call-finished'],
  rungs: { first: 'note', highest: 'stop' },
  options: OPTIONS,
  start: (): State => ({ groups: [], acts: [], copies: [] }),

  step(state, seen, options) {
    const {
      threshold,
      equalAfter,
      alike,
      alikeInFiles,
      fruitlessAfter,
      littleNew,
      shortest,
      shortestFruitless,
    } = options;
    const { call, result } = seen;
    if (seen.progress === 'write') Object.assign(state, { groups: [], acts: [] });
    if (call?.verb === 'write') return copy(state.copies, seen, options);
    if (call?.verb === 'execute' && !call.shell && result?.known)
      return act(state.acts, seen, options);
    if (!call || !result?.known || result.error || !ASKS.has(call.verb)) return null;
    if (call.verb === 'read' && call.target?.startsWith('file:'))
      return reread(state.groups, seen, options);
    // A word or two is a confirmation, and all confirmations are alike. An empty answer is left to
    // `same-answer`.
    if (result.acknowledgement || result.empty || result.size < shortest) return null;
    const group = `${call.tool} ${call.target ?? ''} ${call.folder ?? ''}`;
    const words = call.words.slice(0, MAX_WORDS);
    const now: Try = {
      key: call.key,
      shape: call.shape,
      words,
      step: seen.step,
      batch: seen.batch,
      digest: result.digest,
    };
    const tries = recall(state.groups, group);
    if (!tries || result.novelty >= littleNew || seen.progress) {
      remember(state.groups, group, [now], MAX_GROUPS);
      return null;
    }
    // The calls of one response were made before any of their answers was seen, so they are one
    // try.
    if (tries.at(-1)!.batch === seen.batch) return null;
    const inFiles = call.shell || SEARCHES_FILES.test(call.tool);
    const isVariant = (each: Try): boolean =>
      inFiles
        ? jaccard(each.words, words) >= alikeInFiles && isRewording(each.words, words, ONLY_ADDS)
        : jaccard(each.words, words) >= alike;
    const similar = tries.filter((each) => each.shape === call.shape || isVariant(each));
    remember(state.groups, group, [...tries, now].slice(-MAX_TRIES), MAX_GROUPS);
    // If even the answers are equal, fewer calls are enough.
    const equal = inFiles ? [] : similar.filter(({ digest }) => digest === result.digest);
    const enough =
      similar.length + 1 >= threshold ||
      (equal.length + 1 >= equalAfter && result.size >= shortestFruitless);
    // Enough questions to one source without anything new are a loop, however they are worded.
    const fruitless =
      call.verb === 'read' &&
      !inFiles &&
      call.target === null &&
      result.size >= shortestFruitless &&
      tries.length + 1 >= fruitlessAfter;
    const kept = enough ? similar : tries;
    const keys = [...new Set([...kept.map((each) => each.key), call.key])];
    if ((!enough && !fruitless) || keys.length < 2) return null;
    const count = kept.length + 1;
    const variant = !enough
      ? 'fruitless'
      : kept.every((each) => each.shape === call.shape)
        ? 'drift'
        : 'reworded';
    // An exact repeat of a call neither drifts nor asks anything else; `repeated-call` counts it.
    if (variant !== 'reworded' && result.run > 1) return null;
    return {
      variant,
      count,
      since: kept[0]?.step ?? seen.step,
      keys,
      ...(call.target === null ? {} : { target: call.target }),
      // Only a read can be called fruitless. Another call may have had an effect that its result
      // does not show.
      ...(call.verb === 'read' ? {} : { cap: 'note' as const }),
      strength: 0.6 + 0.3 * (1 - result.novelty),
      facts: { tool: call.tool },
    };
  },

  explain({ count, variant, facts }) {
    if (variant === 'same-lines')
      return `the same lines were written to ${facts.tool} ${count} times`;
    if (variant === 'same-file')
      return `the same lines were written to ${count} files, the last of them ${facts.tool}`;
    if (variant === 'reworded-acts')
      return `${count} similar uses of \`${facts.tool}\` showed little that was new`;
    if (variant === 'reread')
      return `${count} looks at parts of ${facts.tool} showed almost nothing new`;
    if (variant === 'fruitless')
      return `${count} queries to \`${facts.tool}\` returned almost nothing new`;
    return variant === 'drift'
      ? `${count} calls to \`${facts.tool}\` that differed only in a number returned almost nothing new`
      : `${count} similar calls to \`${facts.tool}\` returned almost nothing new`;
  },

  moves({ variant }) {
    if (variant.startsWith('same-'))
      return [
        'check that these lines are used: run or read what depends on them',
        'if these lines do not solve it, look elsewhere instead of writing them again',
      ];
    if (variant === 'drift')
      return ['decide by what was returned so far', 'change something other than the number'];
    if (variant === 'reread')
      return [
        'work with what you have read: say what the file tells you, and act on it',
        'look at another file',
      ];
    return [
      'work with what was returned: open one of the results, or decide',
      'ask a different question, or another source',
      'report what you looked for, where, and that it was not found',
    ];
  },
});

/**
 * Similar actions in other words. Each result may be partly new, but together they show little that
 * is new.
 */
function act(
  acts: Act[],
  { call, result, step, batch, progress }: Fingerprint,
  { threshold, equalAfter, alikeActs, staleActs, shortestAct, shortestFruitless }: Options,
): Evidence | null {
  if (!call || !result || result.error || result.echo || result.size < shortestFruitless)
    return null;
  const words = call.words.slice(0, MAX_WORDS);
  // A call that differs only in a number asks for another page, and calls of one batch are one
  // plan.
  const isAnother = (each: Act): boolean => each.shape === call.shape && each.key !== call.key;
  const alike = acts.filter(
    (each) =>
      each.tool === call.tool &&
      each.batch !== batch &&
      !isAnother(each) &&
      jaccard(each.words, words) >= alikeActs,
  );
  const { key, shape, tool } = call;
  const { digest, novelty, size } = result;
  push(acts, { tool, batch, key, shape, words, step, digest, novelty, size }, MAX_ACTS);
  const equal = alike.filter((each) => each.digest === digest).length;
  const long = alike.filter((each) => each.size >= shortestAct);
  const stale = long.reduce((sum, each) => sum + 1 - each.novelty, 1 - novelty);
  const known =
    size >= shortestAct && novelty <= 0.5 && long.length + 1 >= threshold && stale >= staleActs;
  const [first] = alike;
  if (
    !first ||
    progress === 'moved' ||
    progress === 'falling' ||
    !(known || equal + 1 >= equalAfter)
  )
    return null;
  return {
    variant: 'reworded-acts',
    count: alike.length + 1,
    since: first.step,
    keys: [...new Set([...alike.map(({ key }) => key), call.key])],
    // The action may have had an effect that its result does not show.
    cap: 'note',
    strength: 0.6,
    facts: { tool: call.tool },
  };
}

/** Reading other lines of a file is normal work, unless everything it shows is already known. */
function reread(
  groups: Recent<Try[]>,
  { call, result, step, batch, progress }: Fingerprint,
  { littleNew, rereads }: Options,
): Evidence | null {
  const { key, shape, target, targetLabel } = call!;
  const group = `file ${target}`;
  const now: Try = { key, shape, words: [], step, batch, digest: '' };
  const tries = recall(groups, group);
  if (!tries || progress || result!.novelty >= littleNew / 2) {
    remember(groups, group, [now], MAX_GROUPS);
    return null;
  }
  if (tries.at(-1)!.batch === batch) return null;
  const known = [...tries, now].slice(-MAX_TRIES);
  remember(groups, group, known, MAX_GROUPS);
  // The first entry is the read that still brought something, so it does not count.
  const keys = [...new Set(known.map((each) => each.key))];
  if (known.length <= rereads || keys.length < 2 || step - known.at(-rereads)!.step > 2 * rereads)
    return null;
  const facts = { tool: targetLabel };
  return {
    variant: 'reread',
    count: known.length - 1,
    since: known[1]!.step,
    keys,
    target: target!,
    cap: 'note',
    strength: 0.6,
    facts,
  };
}

/**
 * The same lines written again: to the same place of a target, which already has them, or to
 * several files of one folder.
 */
function copy(
  copies: Recent<Copy>,
  { call, result, step }: Fingerprint,
  options: Options,
): Evidence | null {
  const { target, region } = call!;
  if (
    !result ||
    result.error ||
    target === null ||
    region?.after === undefined ||
    (region.added?.length ?? 0) < TELLING_LINES
  )
    return null;
  const line = region.lines?.[0] ?? 0;
  const folder = call!.targetLabel.slice(0, call!.targetLabel.lastIndexOf('/') + 1);
  const known = recall(copies, region.after);
  const copy =
    known && step - known.step <= RECENTLY
      ? known
      : { since: step, step, targets: [], folder, keys: [] };
  remember(copies, region.after, copy, MAX_COPIES);
  copy.step = step;
  if (!copy.keys.includes(call!.key)) push(copy.keys, call!.key, MAX_TRIES);
  const found = copy.targets.find(
    (each) => each.target === target && Math.abs(each.line - line) <= NEAR,
  );
  const place = found ?? { target, line, count: 0 };
  if (!found) push(copy.targets, place, MAX_TRIES);
  place.line = line;
  place.count++;
  const files =
    copy.folder === folder && region.added!.length > TELLING_LINES
      ? new Set(copy.targets.map((each) => each.target)).size
      : 1;
  const again = place.count >= options.copies;
  if (!again && files < options.copiesElsewhere) return null;
  return {
    variant: again ? 'same-lines' : 'same-file',
    count: again ? place.count : files,
    since: copy.since,
    keys: [...copy.keys],
    ...(again ? { target } : {}),
    ...(again ? {} : { cap: 'note' as const }),
    strength: 0.7,
    facts: { tool: call!.targetLabel },
  };
}
