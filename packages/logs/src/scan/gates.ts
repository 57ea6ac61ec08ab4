import { readFileSync } from 'node:fs';
import { UnrutError } from '@unrut/engine/errors';
import type { Rung } from '@unrut/engine/event';
import { isObject, parsed } from '@unrut/engine/json';
import { errorReason } from '@unrut/engine/redact/reason';
import { isCounted, type ScanGate, type ScanReport } from '@unrut/ledger/report/scan-report';

/** The limits of a pipeline. Without any, one loop is too many. */
export interface ScanLimits {
  /** Only loops that reach this rung or a higher one count. */
  failOn?: Rung;
  maxLoops?: number;
  /** A share of all steps, 0 to 1. */
  maxWasted?: number;
}

/** Checks a report against the limits, one line each. */
export function gatesOf(
  { trajectories, totals }: ScanReport,
  { failOn, maxLoops, maxWasted }: ScanLimits,
): ScanGate[] {
  const loops = trajectories
    .flatMap((run) => run.loops)
    .filter((loop) => isCounted(loop, failOn)).length;
  const share = totals.steps === 0 ? 0 : totals.wastedSteps / totals.steps;
  const gates: ScanGate[] = [];
  if (maxLoops !== undefined || failOn !== undefined || maxWasted === undefined)
    gates.push({
      name: failOn === undefined || failOn === 'note' ? 'loops' : `loops that reach ${failOn}`,
      value: loops,
      limit: maxLoops ?? 0,
      passed: loops <= (maxLoops ?? 0),
    });
  if (maxWasted !== undefined)
    gates.push({
      name: 'wasted share',
      value: Math.round(share * 1e4) / 1e4,
      limit: maxWasted,
      passed: share <= maxWasted,
    });
  return gates;
}

/** The ids of loops in an earlier report (`--json`, `--jsonl`), which serves as a baseline. */
export function readBaseline(file: string): Set<string> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new UnrutError(
      'unreadable',
      `Cannot read the baseline ${file}: ${errorReason(error)}.${isMissing ? ` Make one with unrut scan --json <path> > ${file}.` : ''}`,
    );
  }
  const whole = parsed(text);
  const records = isObject(whole)
    ? [whole]
    : text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map(parsed);
  const runs = records
    .flatMap((record) =>
      isObject(record) && Array.isArray(record.trajectories) ? record.trajectories : [record],
    )
    .filter(isObject);
  if (
    !runs.some((run) => Array.isArray(run.loops)) &&
    !records.some((record) => isObject(record) && 'totals' in record)
  )
    throw new UnrutError(
      'unreadable',
      `${file} is no baseline: expected the output of unrut scan --json or --jsonl.`,
    );
  const loops = runs.flatMap((run) => (Array.isArray(run.loops) ? run.loops : []));
  return new Set(
    loops.flatMap((loop) => (isObject(loop) && typeof loop.id === 'string' ? [loop.id] : [])),
  );
}
