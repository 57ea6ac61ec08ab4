import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import type { CallPrint, Region } from '../prints.ts';
import { push, type Recent, recall, remember } from '../recent.ts';
import type { Evidence } from '../signal.ts';

/** Lines that were written more than once. */
export interface CopiedLines {
  since: number;
  step: number;
  /** Each target that they were written to, the line, and how many times. */
  targets: { target: string; line: number; count: number }[];
  folder: string;
  keys: string[];
}

const MAX_COPIES = 4;
const MAX_PLACES = 6;
/** Fewer meaningful lines than this occur in many places by chance. */
const TELLING_LINES = 2;
/**
 * Two writes at most this many lines apart are at the same place, because lines above it come and
 * go.
 */
const NEAR = 12;
/** Steps after which an earlier write of the same lines no longer counts. */
const RECENTLY = 30;

/**
 * The same lines written again: to the same place of a target, which already has them, or to
 * several files of one folder.
 */
export function writeAgain(
  copies: Recent<CopiedLines>,
  { call, result, step }: Fingerprint,
  limits: { copies: number; copiesElsewhere: number },
): Evidence | null {
  const region = call?.region;
  if (!call || !result || result.error || !isTelling(call, region)) return null;
  const { target, targetLabel } = call;
  const folder = targetLabel.slice(0, targetLabel.lastIndexOf('/') + 1);
  const known = recall(copies, region.after!);
  const copy =
    known && step - known.step <= RECENTLY
      ? known
      : { since: step, step, targets: [], folder, keys: [] };
  remember(copies, region.after!, copy, MAX_COPIES);
  copy.step = step;
  if (!copy.keys.includes(call.key)) push(copy.keys, call.key, MAX_PLACES);
  const times = countAt(copy, target!, region.lines?.[0] ?? 0);
  const files =
    copy.folder === folder && region.added!.length > TELLING_LINES
      ? new Set(copy.targets.map((each) => each.target)).size
      : 1;
  const { since } = copy;
  const keys = [...copy.keys];
  const facts = { tool: targetLabel };
  if (times >= limits.copies)
    return {
      variant: 'same-lines',
      count: times,
      since,
      keys,
      target: target!,
      strength: 0.7,
      facts,
    };
  if (files < limits.copiesElsewhere) return null;
  return { variant: 'same-file', count: files, since, keys, cap: 'note', strength: 0.7, facts };
}

const isTelling = ({ target }: CallPrint, region: Region | null | undefined): region is Region =>
  target !== null && region?.after !== undefined && (region.added?.length ?? 0) >= TELLING_LINES;

/** How many times the lines were written to this place, this time included. */
function countAt(copy: CopiedLines, target: string, line: number): number {
  const found = copy.targets.find(
    (each) => each.target === target && Math.abs(each.line - line) <= NEAR,
  );
  const place = found ?? { target, line, count: 0 };
  if (!found) push(copy.targets, place, MAX_PLACES);
  place.line = line;
  return ++place.count;
}
