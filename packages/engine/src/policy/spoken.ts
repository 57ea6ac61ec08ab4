import { hash32 } from '../hash.ts';
import { type Recent, recall, remember } from '../recent.ts';

/**
 * For each text (without its numbers) and subject: how many times it was due, and its count when it
 * was last given.
 */
export type Spoken = Recent<{ times: number; count: number }>;

const MAX_TOLD = 16;
const NUMBER = /\d+(?:st|nd|rd|th)?/g;

/**
 * Whether a text may be given now: the first time, and then whenever its count has doubled. Texts
 * that differ only in numbers are the same.
 */
export function mayTell(told: Spoken, text: string, about: string, count?: number): boolean {
  const name = hash32(`${about} ${text.replace(NUMBER, '#')}`).toString(36);
  const before = recall(told, name) ?? { times: 0, count: 0 };
  const times = before.times + 1;
  const now = count ?? times;
  const may = now >= 2 * before.count;
  remember(told, name, { times, count: may ? now : before.count }, MAX_TOLD);
  return may;
}
