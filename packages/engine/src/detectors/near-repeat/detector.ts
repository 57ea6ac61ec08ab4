import type { Fingerprint } from '../../fingerprint/fingerprint.ts';
import { isRewording, jaccard } from '../../fingerprint/words.ts';
import type { ValuesOf } from '../../option.ts';
import * as option from '../../option-kinds.ts';
import type { CallPrint, ResultPrint } from '../../prints.ts';
import { type Recent, recall, remember } from '../../recent.ts';
import { firstRule } from '../../rule.ts';
import type { Evidence } from '../../signal.ts';
import { type CopiedLines, writeAgain } from '../copied-lines.ts';
import { defineDetector } from '../detector.ts';
import { type MadeAction, similarAction } from '../similar-actions.ts';
import { KIND_RULES, LOOP_RULES, type LoopQuestion } from './rules.ts';

interface Try {
  key: string;
  shape: string;
  words: number[];
  step: number;
  batch: string;
  /** Digest of the answer. */
  digest: string;
}

interface State {
  groups: Recent<Try[]>;
  acts: MadeAction[];
  copies: Recent<CopiedLines>;
}

const MAX_GROUPS = 8;
const MAX_TRIES = 6;
const MAX_WORDS = 16;
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
    const { call, result } = seen;
    if (seen.progress === 'write') Object.assign(state, { groups: [], acts: [] });
    if (!call || !result) return null;
    const watch = firstRule(KIND_RULES, { call, result, shortest: options.shortest })?.gives;
    if (!watch) return null;
    if (watch === 'write') return writeAgain(state.copies, seen, options);
    if (watch === 'action') return similarAction(state.acts, seen, options);
    return watch === 'file'
      ? reread(state.groups, seen, options)
      : ask(state.groups, seen, call, result, options);
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

/** Questions to one source that bring little that is new. */
function ask(
  groups: Recent<Try[]>,
  seen: Fingerprint,
  call: CallPrint,
  result: ResultPrint,
  options: Options,
): Evidence | null {
  const group = `${call.tool} ${call.target ?? ''} ${call.folder ?? ''}`;
  const { key, shape } = call;
  const { step, batch } = seen;
  const words = call.words.slice(0, MAX_WORDS);
  const now: Try = { key, shape, words, step, batch, digest: result.digest };
  const tries = recall(groups, group);
  if (!tries || result.novelty >= options.littleNew || seen.progress) {
    remember(groups, group, [now], MAX_GROUPS);
    return null;
  }
  // The calls of one response were made before any of their answers was seen, so they are one try.
  if (tries.at(-1)!.batch === batch) return null;
  remember(groups, group, [...tries, now].slice(-MAX_TRIES), MAX_GROUPS);
  const rule = firstRule(LOOP_RULES, loopQuestion(tries, now, call, result, options));
  if (!rule) return null;
  const { variant, of } = rule.gives;
  const kept = of === 'all' ? tries : similarTo(tries, now, call, options);
  const keys = [...new Set([...kept.map((each) => each.key), key])];
  return {
    variant,
    count: kept.length + 1,
    since: kept[0]?.step ?? step,
    keys,
    ...(call.target === null ? {} : { target: call.target }),
    // Only a read can be called fruitless. Another call may have had an effect that its result does
    // not show.
    ...(call.verb === 'read' ? {} : { cap: 'note' as const }),
    strength: 0.6 + 0.3 * (1 - result.novelty),
    rule: rule.name,
    facts: { tool: call.tool },
  };
}

const isInFiles = ({ shell, tool }: CallPrint): boolean => shell || SEARCHES_FILES.test(tool);

/** The earlier tries that are like this one. */
const similarTo = (
  tries: readonly Try[],
  { shape, words }: Try,
  call: CallPrint,
  { alike, alikeInFiles }: Options,
): Try[] =>
  tries.filter(
    (each) =>
      each.shape === shape ||
      (isInFiles(call)
        ? jaccard(each.words, words) >= alikeInFiles && isRewording(each.words, words, ONLY_ADDS)
        : jaccard(each.words, words) >= alike),
  );

function loopQuestion(
  tries: readonly Try[],
  now: Try,
  call: CallPrint,
  result: ResultPrint,
  options: Options,
): LoopQuestion {
  const similar = similarTo(tries, now, call, options);
  const inFiles = isInFiles(call);
  const distinct = (kept: readonly Try[]): number =>
    new Set([...kept.map(({ key }) => key), call.key]).size;
  return {
    call,
    result,
    inFiles,
    tries: tries.length + 1,
    calls: distinct(tries),
    similar: similar.length + 1,
    similarCalls: distinct(similar),
    equal: inFiles ? 1 : similar.filter(({ digest }) => digest === now.digest).length + 1,
    sameShape: similar.every(({ shape }) => shape === now.shape),
    options,
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
