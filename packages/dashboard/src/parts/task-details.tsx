import { printable } from '@unrut/engine/text/printable';
import { counted, number } from '@unrut/ledger/report/figures';
import type { AttemptRow, TaskRow } from '@unrut/server/api/answers';
import type { JSX } from 'preact';
import { When } from './when.tsx';

const STATUSES: Record<string, { words: string; look: string }> = {
  done: { words: 'done', look: 'done' },
  in_progress: { words: 'under way', look: 'running' },
  pending: { words: 'not begun', look: 'ended' },
  needs_review: { words: 'needs a review', look: 'ended' },
  needs_improvement: { words: 'needs more work', look: 'ended' },
  blocked: { words: 'blocked', look: 'looping' },
};

const SET_ASIDE: Record<string, string> = {
  loop: 'It was set aside, because its attempts came to the same.',
  escalated: 'It was set aside until a person looks at it.',
  limit: 'It was set aside at a limit.',
};

/** Joins consecutive attempts with equal results. */
function alike(
  latest: TaskRow['latest'],
  attempts: number,
): { attempt: AttemptRow; first: number; times: number }[] {
  const lines: { attempt: AttemptRow; first: number; times: number }[] = [];
  const cameTo = ({ status, blockers, work, interrupted }: AttemptRow): string =>
    JSON.stringify([status, blockers, work, interrupted]);
  for (const [i, attempt] of latest.entries()) {
    const last = lines.at(-1);
    if (last && cameTo(last.attempt) === cameTo(attempt))
      Object.assign(last, { attempt, times: last.times + 1 });
    else lines.push({ attempt, first: attempts - latest.length + i + 1, times: 1 });
  }
  return lines;
}

/** The result of an attempt: a task still in progress was not finished by it. */
const attemptText = (status: string): string =>
  status === 'in_progress' ? 'not finished' : (STATUSES[status]?.words ?? printable(status));

/** One task of a roadmap: its status, the reason, and the result of each attempt. */
export function TaskDetails({ task }: { task: TaskRow }): JSX.Element {
  const { id, title, status, reason, attempts, setAside, deferred, latest } = task;
  const { words, look } = STATUSES[status] ?? { words: printable(status), look: 'ended' };
  return (
    <li class="task">
      <h3>
        {printable(title)} {title !== id && <code>{printable(id)}</code>}{' '}
        <span class={`state ${look}`}>{words}</span>
      </h3>
      {(setAside !== undefined || reason !== undefined) && (
        <p>
          {setAside !== undefined &&
            (SET_ASIDE[setAside] ?? `It was set aside: ${printable(setAside)}.`)}{' '}
          {printable(reason ?? '')}
        </p>
      )}
      {deferred.length > 0 && <p class="note">Put off: {printable(deferred.join('; '))}</p>}
      {latest.length > 0 ? (
        <details open={setAside !== undefined}>
          <summary>
            {counted(attempts, 'attempt')}
            {latest.length < attempts && `, the last ${number(latest.length)} of them here`}
          </summary>
          <ul class="attempts">
            {alike(latest, attempts).map(({ attempt, times, first }) => (
              <li key={`${attempt.at} ${attempt.session}`}>
                {times === 1
                  ? `Attempt ${number(first)}`
                  : `Attempts ${number(first)} to ${number(first + times - 1)}, the last`}{' '}
                <When at={attempt.at} />:{' '}
                {attempt.interrupted ? 'interrupted' : attemptText(attempt.status)}
                {attempt.work.length > 0 && `, ${printable(attempt.work.join('; '))}`}
                {attempt.blockers.length > 0 && (
                  <span class="blockers">: {printable(attempt.blockers.join('; '))}</span>
                )}
              </li>
            ))}
          </ul>
        </details>
      ) : (
        <p class="note">No attempt yet.</p>
      )}
    </li>
  );
}
