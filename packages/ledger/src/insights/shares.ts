import { rateOf, Z } from '../report/rate.ts';
import type { Rate } from '../report/scan-report.ts';

/** The sessions of one person, and how many of them have a loop. */
export interface PersonShare {
  /** Null if the person is unknown; each such session counts as a person of its own. */
  person: string | null;
  sessions: number;
  looped: number;
}

export const sumIn = (shares: readonly PersonShare[], name: 'sessions' | 'looped'): number =>
  shares.reduce((sum, each) => sum + each[name], 0);

/** The number of people. All sessions of unknown people count as one person each. */
export const peopleIn = (shares: readonly PersonShare[]): number =>
  shares.reduce((sum, { person, sessions }) => sum + (person === null ? sessions : 1), 0);

/**
 * The share of sessions with a loop, with its 95 % interval. Sessions of one person are correlated,
 * so the interval uses the effective number of independent sessions.
 */
export function shareOf(shares: readonly PersonShare[]): Rate {
  const all = sumIn(shares, 'sessions');
  const looped = sumIn(shares, 'looped');
  const weight = 1 / designEffect(shares, all, looped);
  return rateOf(looped * weight, all * weight);
}

/** The variance of the share, relative to that of equally many independent sessions; at least 1. */
function designEffect(shares: readonly PersonShare[], all: number, looped: number): number {
  const people = peopleIn(shares);
  const p = all === 0 ? 0 : looped / all;
  // With one person, or with shares of 0 or 1, the variance between people cannot be estimated.
  if (people < 2 || p === 0 || p === 1) return 1;
  const squares = shares.reduce((sum, each) => sum + squareOf(each, p), 0);
  return Math.max(1, ((squares / (all * p * (1 - p))) * people) / (people - 1));
}

function squareOf({ person, sessions, looped }: PersonShare, p: number): number {
  if (person !== null) return (looped - p * sessions) ** 2;
  return looped * (1 - p) ** 2 + (sessions - looped) * p ** 2;
}

/**
 * The effective number of people (Kish): if one person has most of the sessions, it is close to
 * one.
 */
export function worthOf(shares: readonly PersonShare[]): number {
  const squares = shares.reduce(
    (sum, { person, sessions }) => sum + (person === null ? sessions : sessions ** 2),
    0,
  );
  return squares === 0 ? 0 : sumIn(shares, 'sessions') ** 2 / squares;
}

/** How much wider than a normal interval one of so few cases is (Student's t, Cornish–Fisher). */
export function widening(cases: number): number {
  const free = Math.max(1, cases - 1);
  const t =
    Z +
    (Z ** 3 + Z) / (4 * free) +
    (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / (96 * free ** 2) +
    (3 * Z ** 7 + 19 * Z ** 5 + 17 * Z ** 3 - 15 * Z) / (384 * free ** 3);
  return (t / Z) * Math.sqrt((free + 1) / free);
}
