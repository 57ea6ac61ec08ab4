import type { ContextEntry, Ledger } from '../ledger.ts';

/** Ledger topics of a screen run: its figures, and its complete result. */
export const SCREEN_RUN = 'screen_run';
export const SCREEN_RESULT = 'screen_run_result';

/** Figures of screen runs, by name, that can be summed. */
export interface ScreenRunSums {
  runs: number;
  /** How the runs ended. */
  endings: Record<string, number>;
  loop_recoveries_by_reason: Record<string, number>;
  done_rejections_by_reason: Record<string, number>;
}

/** The summed fields of a result. */
interface Counted {
  termination_reason: string;
  ending: string;
  loop_recoveries_by_reason: Record<string, number>;
  done_rejections_by_reason: Record<string, number>;
}

/** The ledger entries of a screen run. The result contains no typed values. */
export function screenRunEntries(session: string, at: number, result: Counted): ContextEntry[] {
  const { termination_reason, ending, loop_recoveries_by_reason, done_rejections_by_reason } =
    result;
  const entry = (topic: string, content: string): ContextEntry => ({
    id: `${session}/${topic}`,
    session,
    timestamp: at,
    entryType: 'result',
    topic,
    content,
    relatedTasks: [],
    confidence: 1,
    metadata: { termination_reason, loop_recoveries_by_reason, done_rejections_by_reason },
  });
  return [
    entry(SCREEN_RUN, `${termination_reason}: ${ending}`),
    entry(SCREEN_RESULT, JSON.stringify(result)),
  ];
}

/** The figures of all screen runs in a ledger since a time. */
export async function screenRunSums(
  ledger: Pick<Ledger, 'context'>,
  since = 0,
): Promise<ScreenRunSums> {
  const sums: ScreenRunSums = {
    runs: 0,
    endings: {},
    loop_recoveries_by_reason: {},
    done_rejections_by_reason: {},
  };
  const add = (to: Record<string, number>, name: string, times: number): void => {
    to[name] = (to[name] ?? 0) + times;
  };
  for (const { timestamp, metadata } of await ledger.context({ topics: [SCREEN_RUN] })) {
    if (timestamp < since) continue;
    sums.runs++;
    const counted = metadata as unknown as Counted;
    add(sums.endings, String(counted.termination_reason), 1);
    for (const name of ['loop_recoveries_by_reason', 'done_rejections_by_reason'] as const)
      for (const [reason, times] of Object.entries(counted[name] ?? {}))
        add(sums[name], reason, times);
  }
  return sums;
}
