import type { Ledger } from '../ledger/ledger.ts';
import type { LoopResult } from './detect-task-loop.ts';

const AUTHORITY = 'unblock_authority';
/** Of the entries that a prompt includes. */
const TOPICS: readonly string[] = ['loop_recovery_directive', AUTHORITY, 'loop_escalation'];
const MAX_ENTRIES = 5;
const MAX_TRIED = 3;

/** What recoveries and earlier attempts leave for the next prompt of a task, in paragraphs. */
export async function notesFor({ ledger, run, loop }: { ledger: Ledger; run: string; loop: LoopResult }): Promise<string[]> {
  const query = { session: run, last: 4 * MAX_ENTRIES };
  const [own, all] = await Promise.all([
    ledger.context({ ...query, topics: [AUTHORITY], task: loop.taskId }),
    ledger.context({ ...query, topics: TOPICS.filter((topic) => topic !== AUTHORITY) }),
  ]).catch(() => [[], []]);
  // Authority is for its own task alone. That others are set aside concerns every task; that this one was, none, as somebody wants it tried.
  const others = all.filter(({ relatedTasks }) => !relatedTasks.includes(loop.taskId));
  const told = [...own, ...others].sort((one, other) => one.timestamp - other.timestamp).slice(-MAX_ENTRIES);
  const tried = loop.evidence.slice(-MAX_TRIED);
  return [
    ...told.map(({ content }) => content),
    ...(tried.length > 0 ? [`What earlier attempts came to:\n${tried.map((line) => `- ${line}`).join('\n')}`] : []),
    ...(loop.note === undefined ? [] : [loop.note]),
  ];
}
