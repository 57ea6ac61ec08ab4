import type { Fingerprint } from '../../fingerprint/fingerprint.ts';
import { isRewording, sharedBy } from '../../fingerprint/words.ts';
import * as option from '../../option-kinds.ts';
import { push, type Recent, recall, remember } from '../../recent.ts';
import type { Evidence } from '../../signal.ts';
import { defineDetector } from '../detector.ts';

interface Entry {
  answer: string;
  /** Distinct calls that got this answer. */
  keys: string[];
  count: number;
  since: number;
  batch: string;
  /** Steps with progress since the answer last came. */
  progress: number;
  /** Words of the last question, and how many questions in a row only reworded the previous one. */
  words: number[];
  reworded: number;
  /** The tool has found something else since. */
  found: boolean;
}

/** A question whose answer was that there is no such thing. */
interface Miss {
  key: string;
  tool: string;
  words: number[];
  step: number;
  batch: string;
}

interface State {
  tools: Recent<Entry>;
  misses: Miss[];
  /** Searches through files that found nothing, with the words of their patterns. */
  searches: Miss[];
}

const MAX_TOOLS = 16;
const MAX_MISSES = 8;
const MAX_SEARCHES = 10;
/** As many more questions are needed if the tool found something else in between. */
const MORE = 1;
const MAX_WORDS = 12;
/**
 * A prompt with fewer words is a command, and an answer with fewer characters is a confirmation.
 */
const FEWEST_WORDS = 3;
const SHORTEST_REPORT = 20;
/** Low, because two prompts that get exactly the same answer are probably the same question. */
const ALIKE_PROMPTS = 0.25;
/**
 * Share of the shorter question's words that another question about the same thing must contain.
 */
const SAME_THING = 0.75;
const ASKS = new Set(['read', 'navigate', 'unknown', 'nothing']);

export const sameAnswer = defineDetector({
  name: 'same-answer',
  status: 'stable',
  watches: ['call-finished'],
  rungs: { first: 'note', highest: 'stop' },
  options: {
    threshold: option.integer(
      4,
      { from: 2 },
      'Different questions with the same empty answer that make a loop.',
    ),
    shortestPage: option.integer(
      200,
      { from: 0 },
      'Minimum length, in characters, of an answer of an unknown tool that counts.',
    ),
    searches: option.integer(
      6,
      { from: 2 },
      'Searches through files for one name, all without a match, that make a loop.',
    ),
    movedOn: option.integer(3, { from: 1 }, 'Steps with progress that end a streak.'),
  },
  start: (): State => ({ tools: [], misses: [], searches: [] }),

  step(state, seen, { threshold, shortestPage, searches, movedOn }) {
    const { tools } = state;
    const { call, result } = seen;
    const notThere = lookedFor(state, seen, threshold) ?? searchedFor(state, seen, searches);
    if (notThere) return notThere;
    if (seen.progress) for (const [, entry] of tools) entry.progress++;
    // A question to another agent counts as a question, too.
    const delegates = call?.verb === 'execute' && !call.shell && call.target === null;
    // A command without output may have done something or not.
    const silent = call?.verb === 'execute' && call.shell && result?.empty;
    if (!call || !result?.known || result.error || !(delegates || silent || ASKS.has(call.verb)))
      return null;
    // Empty pages and items that are not there are what a list brings. A search that finds nothing
    // may have a wrong filter.
    if (result.empty && isNextValue(seen) && !call.sought) return null;
    const words = call.words.slice(0, MAX_WORDS);
    const group = call.verb === 'nothing' ? 'nothing' : call.tool;
    if (!result.empty) {
      // Different files may have the same content, and a short confirmation is not a page.
      const last = delegates ? tools.find(([name]) => name === group)?.[1].words : undefined;
      const short =
        delegates &&
        words.length >= FEWEST_WORDS &&
        (last === undefined || isRewording(last, words, ALIKE_PROMPTS))
          ? SHORTEST_REPORT
          : call.asks === 'content' && !call.shell && !seen.nextItem
            ? SHORTEST_REPORT
            : shortestPage;
      const page = !call.target?.startsWith('file:') && result.size >= short;
      const before = tools.find(([name]) => name === group)?.[1];
      const found = before?.answer === 'empty';
      if (found) before.found = true;
      if (!page || result.acknowledgement || found) {
        if (!found) state.tools = tools.filter(([name]) => name !== group);
        return null;
      }
    }
    const answer = result.empty ? 'empty' : result.digest;
    let entry = recall(tools, group);
    // If the tool has found something, only a question like the last one continues the search.
    const ended = entry?.found && !isRewording(entry.words, words);
    if (!entry || ended || entry.answer !== answer || entry.progress >= movedOn) {
      entry = {
        answer,
        keys: [call.key],
        count: 1,
        since: seen.step,
        batch: seen.batch,
        progress: 0,
        words,
        reworded: 0,
        found: false,
      };
      remember(tools, group, entry, MAX_TOOLS);
      return null;
    }
    const again = entry.keys.includes(call.key) && call.verb !== 'nothing';
    if (!entry.keys.includes(call.key)) push(entry.keys, call.key, 8);
    if (!again && entry.batch !== seen.batch) entry.count++;
    entry.batch = seen.batch;
    entry.progress = 0;
    // The program and its options are not wording, so a command is a rewording only if it just adds
    // or just drops words.
    entry.reworded = isRewording(entry.words, words, call.shell ? 1 : undefined)
      ? entry.reworded + 1
      : 0;
    entry.words = words;
    const needed = threshold + (entry.found ? MORE : 0);
    if (entry.count < needed || entry.keys.length < 2) return null;
    // Searching for one name after another may be a check that all of them are gone.
    if (call.shell && result.empty && call.verb !== 'nothing' && entry.reworded < threshold - 1)
      return null;
    return {
      variant:
        call.verb === 'nothing' ? 'no-op' : silent ? 'silent' : result.empty ? 'empty' : 'page',
      count: entry.count,
      since: entry.since,
      keys: [`answer:${group}`, ...entry.keys],
      strength: 0.7,
      // Different questions may have been meant to confirm that nothing is there.
      ...(call.verb === 'nothing' || (entry.reworded > 0 && !silent)
        ? {}
        : { cap: 'note' as const }),
      facts: { tool: call.tool, reworded: entry.reworded > 0 },
    };
  },

  explain({ count, variant, facts }) {
    if (variant === 'no-op')
      return `${count} commands in a row did nothing (the last: \`${facts.tool}\`)`;
    if (variant === 'silent')
      return `${count} variants of one command (\`${facts.tool}\`) printed nothing`;
    if (variant === 'not-there')
      return `${count} calls (\`${facts.tool}\`) looked for the same thing, and none found it`;
    const got = variant === 'empty' ? 'found nothing' : 'got the very same answer';
    return `${count} ${facts.reworded ? 'differently worded' : 'different'} calls to \`${facts.tool}\` ${got}`;
  },

  moves: ({ variant }) =>
    variant === 'no-op'
      ? ['run a command that shows or changes something', 'say what you need to know next']
      : variant === 'silent'
        ? [
            'look at what the command did before you run it again',
            'check one of its parts by itself, with output',
          ]
        : variant === 'empty' || variant === 'not-there'
          ? [
              'assume that nothing matches these words, and list what is there',
              'look in another place, or ask for the right name',
              'go on without it and say so',
            ]
          : [
              'work with this one answer: other words do not change it',
              'ask something else, or another source',
            ],
});

/** The next item of a list, named by a page, an id or a name: no argument asks something in words. */
const isNextValue = ({ nextItem, call }: Fingerprint): boolean =>
  nextItem === true && call?.shell === false && call.parts.every((part) => part.length === 2);

/** Finds several searches for one thing, with more than one tool, that did not find it. */
function lookedFor(
  state: State,
  { call, result, progress, step, batch }: Fingerprint,
  threshold: number,
): Evidence | null {
  if (progress === 'write') state.misses = [];
  // In a shell command, the name to look for cannot be told from the place to look in.
  if (!call || !result?.missing || call.shell || !ASKS.has(call.verb)) return null;
  const words = call.words.slice(0, MAX_WORDS);
  const same = state.misses.filter(
    (each) => each.batch !== batch && isSameThing(each.words, words),
  );
  push(state.misses, { key: call.key, tool: call.tool, words, step, batch }, MAX_MISSES);
  const tools = [...new Set([...same.map(({ tool }) => tool), call.tool])];
  if (same.length + 1 < threshold || tools.length < 2) return null;
  return {
    variant: 'not-there',
    count: same.length + 1,
    since: same[0]!.step,
    keys: [...new Set([...same.map(({ key }) => key), call.key])],
    strength: 0.7,
    // The thing may be in a place that was not searched.
    cap: 'note',
    facts: { tool: tools.slice(-3).join('`, `') },
  };
}

/** Finds many searches through files whose patterns have a word in common and match nothing. */
function searchedFor(
  state: State,
  { call, result, progress, step, batch }: Fingerprint,
  threshold: number,
): Evidence | null {
  if (progress === 'write') state.searches = [];
  if (!call?.sought || !result?.known || result.error) return null;
  const words = call.sought;
  const isSame = (each: Miss): boolean => sharedBy(each.words, words) > 0;
  if (!result.empty) {
    state.searches = state.searches.filter((each) => !isSame(each));
    return null;
  }
  const same = state.searches.filter((each) => each.batch !== batch && isSame(each));
  push(state.searches, { key: call.key, tool: call.tool, words, step, batch }, MAX_SEARCHES);
  const keys = [...new Set([...same.map(({ key }) => key), call.key])];
  if (same.length + 1 < threshold || keys.length < 2) return null;
  return {
    variant: 'not-there',
    count: same.length + 1,
    since: same[0]!.step,
    keys,
    strength: 0.7,
    // The searches may have been meant to confirm that nothing is left.
    cap: 'note',
    facts: { tool: [...new Set([...same.map(({ tool }) => tool), call.tool])].join('`, `') },
  };
}

function isSameThing(one: readonly number[], other: readonly number[]): boolean {
  const fewer = Math.min(one.length, other.length);
  return fewer > 0 && sharedBy(one, other) >= SAME_THING * fewer;
}
