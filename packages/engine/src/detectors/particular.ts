import { type Recent, recall, remember } from '../recent.ts';

/**
 * The words that a speaker or tool uses habitually: how many texts were counted, and in how many of
 * them each word occurred.
 */
export type Habits = Recent<{ texts: number; words: [word: number, texts: number][] }>;

const MAX_NAMES = 4;
const MAX_WORDS = 48;
/** With fewer texts, a frequent word may be chance. */
const ENOUGH = 4;
const USUAL = 0.5;

/**
 * A filter that keeps what is particular to one text: it drops words that occur in more than half
 * of the speaker's earlier texts (templates, headings, a restated task).
 */
export function particularOf(
  habits: Habits,
  name: string,
): (words: readonly number[]) => readonly number[] {
  const habit = recall(habits, name);
  const usual = new Set<number>();
  if (habit && habit.texts >= ENOUGH)
    for (const [word, texts] of habit.words) if (texts > habit.texts * USUAL) usual.add(word);
  return (words) => (usual.size === 0 ? words : words.filter((word) => !usual.has(word)));
}

/** Counts the words of one more text. If there are too many words, the most frequent stay. */
export function learnHabit(habits: Habits, name: string, words: readonly number[]): void {
  const habit = recall(habits, name) ?? { texts: 0, words: [] };
  habit.texts++;
  for (const word of words) count(habit.words, word);
  if (habit.words.length > MAX_WORDS)
    habit.words = habit.words.sort((a, b) => b[1] - a[1]).slice(0, MAX_WORDS);
  remember(habits, name, habit, MAX_NAMES);
}

/** A plain loop is fast enough for so few words; it runs for every message. */
function count(counts: [word: number, texts: number][], word: number): void {
  for (let i = 0; i < counts.length; i++) {
    const counted = counts[i]!;
    if (counted[0] !== word) continue;
    counted[1]++;
    return;
  }
  counts.push([word, 1]);
}
