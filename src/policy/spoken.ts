import { hash32 } from '../hash.ts';
import { type Recent, recall, remember } from '../recent.ts';

/** By text, its numbers left out, and what it is about: how often it was to be said, and the count with which it was said last. */
export type Spoken = Recent<{ times: number; count: number }>;

const MAX_TOLD = 24;
const NUMBER = /\d+(?:st|nd|rd|th)?/g;

/** Whether a text may be said now of a thing: once, and then whenever the count has doubled. Texts that differ only in numbers are the same. */
export function mayTell(told: Spoken, text: string, about: string, count?: number): boolean {
  const name = hash32(`${about} ${text.replace(NUMBER, '#')}`).toString(36);
  const before = recall(told, name) ?? { times: 0, count: 0 };
  const times = before.times + 1;
  const now = count ?? times;
  const may = now >= 2 * before.count;
  remember(told, name, { times, count: may ? now : before.count }, MAX_TOLD);
  return may;
}
