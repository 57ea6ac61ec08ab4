import type { Waste } from '@unrut/engine/account/loop';
import type { Rate } from '../report/scan-report.ts';

/** What an agent's program says of where a session comes from; sessions can be filtered by it. */
export const ORIGIN_NAMES = ['host', 'model', 'release', 'repo', 'team', 'person'] as const;

/** Only sessions of this origin; an empty text: those that do not tell. */
export type OriginFilter = { [name in (typeof ORIGIN_NAMES)[number]]?: string | undefined };

/** What can be compared: every session has one value of each. */
export const COMPARED = ['repo', 'team', 'release', 'model', 'host'] as const;
export type Compared = (typeof COMPARED)[number];

/**
 * What sessions are grouped by. A session is in the group of every tool or detector of its loops.
 */
export const GROUPED = [...COMPARED, 'tool', 'detector'] as const;
export type Grouped = (typeof GROUPED)[number];

/** Sessions whose last activity is within these times, in epoch milliseconds, to the minute. */
export interface Between {
  since: number;
  until?: number | undefined;
}

/** One of the two sides of a comparison: a value, or a period. */
export interface ComparedSide extends Partial<Between> {
  value?: string;
}

export interface InsightsQuery extends Between, OriginFilter {
  /** Default: the first that has two values among the newest sessions. */
  by?: Grouped | undefined;
  compare?:
    | { by: Compared; a: string; b: string }
    | { by: 'period'; a: Between; b: Between }
    | undefined;
  /** Groups, those with the most waste first. */
  most: number;
}

/** Some sessions, and what their loops have cost. */
export interface GroupFigures {
  sessions: number;
  /** Sessions with a loop. */
  looped: number;
  /** Their share, with its 95 % interval. */
  share: Rate;
  /** How many people's sessions these are; those of unknown people count as one person each. */
  people: number;
  wasted: Waste;
}

/** Figures of an hour, a day or a week. */
export interface TrendPart {
  /** When it begins, in epoch milliseconds. */
  at: number;
  sessions: number;
  looped: number;
  wasted: Waste;
}

/** The difference between two shares. */
export interface ShareDifference {
  /** The second share less the first, and its 95 % interval. */
  value: number;
  low: number;
  high: number;
  /** `unclear`: not enough to tell. */
  verdict: 'fewer' | 'more' | 'unclear';
  /** How many more each side needs before a difference like this one can be claimed. */
  missing?: { sessions: number; people: number };
}

/** Both sides of a comparison, and the difference; undefined if one of them has no session. */
export interface SideBySide {
  a: GroupFigures;
  b: GroupFigures;
  difference?: ShareDifference;
}

export interface InsightGroup extends GroupFigures {
  /** Empty: the sessions that do not tell. */
  value: string;
  /** Without parts in which there was nothing. Of tools and detectors only sessions with a loop. */
  trend: TrendPart[];
  comparison?: SideBySide;
}

/** When sessions of a release were first seen. */
export interface ReleaseMark {
  release: string;
  at: number;
}

export interface InsightsReport {
  by: Grouped;
  all: GroupFigures;
  groups: InsightGroup[];
  /** Groups beyond those. */
  more: number;
  comparison?: SideBySide;
  /** Releases that were first seen within the time, the oldest first. */
  releases: ReleaseMark[];
  /** How long a part of a trend is, in milliseconds. */
  part: number;
  /** Values among the newest sessions. */
  choices: { [name in Compared]: string[] };
}
