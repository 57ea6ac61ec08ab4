import { type Recent, recall, remember } from '../recent.ts';

/** What somebody always says: of each speaker or tool how many texts were counted, and in how many of them each word was. */
export type Habits = Recent<{ texts: number; words: [word: number, texts: number][] }>;

const MAX_NAMES = 4;
const MAX_WORDS = 48;
/** So many texts tell a habit from a chance. */
const ENOUGH = 4;
const USUAL = 0.5;

/** The words of a text without those that more than half of this speaker's earlier texts have: templates, headings, a restated task. */
export function particular(habits: Habits, name: string, words: readonly number[]): number[] {
  const habit = recall(habits, name);
  if (!habit || habit.texts < ENOUGH) return [...words];
  const usual = new Set<number>();
  for (const [word, texts] of habit.words) if (texts > habit.texts * USUAL) usual.add(word);
  return usual.size === 0 ? [...words] : words.filter((word) => !usual.has(word));
}

/** Counts the words of one more text. Of many words those stay that are most frequent. */
export function learnHabit(habits: Habits, name: string, words: readonly number[]): void {
  const habit = recall(habits, name) ?? { texts: 0, words: [] };
  habit.texts++;
  const known = new Map(habit.words.map((counted) => [counted[0], counted]));
  for (const word of words) {
    const counted = known.get(word) ?? [word, 0];
    counted[1]++;
    if (known.has(word)) continue;
    known.set(word, counted);
    habit.words.push(counted);
  }
  if (habit.words.length > MAX_WORDS) habit.words = habit.words.sort((a, b) => b[1] - a[1]).slice(0, MAX_WORDS);
  remember(habits, name, habit, MAX_NAMES);
}
