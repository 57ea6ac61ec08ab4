import { definePeer } from './define-peer.ts';
import { jaccard } from './jaccard.ts';
import { act } from './peer.ts';

const CYCLE = { among: 4096, longest: 1024 };
/** A short unit must come more often, a long one cover more. */
const CYCLES = [
  { times: 4, covered: 180 },
  { times: 3, covered: 1024 },
];
const CLUSTER = { alike: 0.8, size: 4, among: 16, after: 8 };
const STALE = { paragraphs: 8, newWords: 0.2 };

/**
 * oh-my-pi's guard of thinking, per block: a suffix that cycles, four of sixteen paragraphs alike,
 * or eight paragraphs without new words or names. Aborts and samples again.
 */
export const ohMyPiThinking = definePeer('oh-my-pi (thinking)', () => {
  let suffix = '';
  let unfinished = '';
  let trigrams: Set<string>[] = [];
  let words = new Set<string>();
  let names = new Set<string>();
  let stale = 0;
  let paragraphs = 0;

  /** Whether this paragraph is the one too many. */
  function paragraph(text: string): boolean {
    const spoken =
      withoutCode(text)
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? [];
    if (spoken.length === 0) return false;
    paragraphs++;
    const fresh = spoken.filter((word) => !words.has(word)).length / spoken.length;
    const newNames = namesIn(text).filter((name) => !names.has(name));
    stale = paragraphs > 1 && fresh <= STALE.newWords && newNames.length === 0 ? stale + 1 : 0;
    for (const word of spoken) words.add(word);
    for (const name of newNames) names.add(name);
    const grams = new Set(
      spoken.slice(2).map((word, i) => `${spoken[i]} ${spoken[i + 1]} ${word}`),
    );
    trigrams = [...trigrams, grams].slice(-CLUSTER.among);
    const alike = trigrams.filter((other) => jaccard(grams, other) >= CLUSTER.alike).length;
    return stale >= STALE.paragraphs || (paragraphs >= CLUSTER.after && alike >= CLUSTER.size);
  }

  function forget(): undefined {
    suffix = unfinished = '';
    trigrams = [];
    words = new Set();
    names = new Set();
    stale = paragraphs = 0;
  }

  return {
    text({ text, thinking, done }) {
      if (!thinking) return forget();
      suffix = (suffix + text).slice(-CYCLE.among);
      const parts = (unfinished + text).split(/\n\s*\n/);
      unfinished = done ? '' : parts.pop()!;
      const found = parts.map(paragraph).includes(true) || cycles(suffix);
      if (done) forget();
      return found ? act('abort') : null;
    },
    call: forget,
    user: forget,
  };
});

/**
 * Whether the end of the text repeats one unit: the borders of the reversed text are the periods of
 * its suffixes.
 */
function cycles(text: string): boolean {
  const border = [0];
  for (let i = 1, length = 0; i < text.length; i++) {
    const at = (k: number): string => text[text.length - 1 - k]!;
    while (length > 0 && at(i) !== at(length)) length = border[length - 1]!;
    if (at(i) === at(length)) length++;
    border.push(length);
    const covered = i + 1;
    const unit = covered - length;
    if (
      unit <= CYCLE.longest &&
      CYCLES.some((needed) => covered >= needed.covered && covered >= needed.times * unit)
    )
      return true;
  }
  return false;
}

/** A paragraph without fenced or indented code, and without titles. */
const withoutCode = (text: string): string =>
  text
    .replace(/```[\s\S]*?(?:```|$)/g, '')
    .split('\n')
    .filter((line) => !/^(?: {4}|\t|#{1,6} |\*\*[^*]+\*\*$)/.test(line))
    .join('\n');

/** Paths and identifiers. */
const namesIn = (text: string): string[] =>
  text.match(/[\w.-]*\/[\w./-]+|\w+[._]\w[\w.]*|\b[a-z]+[A-Z]\w*/g) ?? [];
