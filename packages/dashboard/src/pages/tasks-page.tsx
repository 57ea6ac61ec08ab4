import { printable } from '@unrut/engine/text/printable';
import type { ContextEntry } from '@unrut/ledger/ledger';
import { counted, dollars, number, short } from '@unrut/ledger/report/figures';
import type { RunAnswer, RunStatus, RunsAnswer } from '@unrut/server/api/answers';
import type { JSX } from 'preact';
import { nameInPath } from '../api/name-in-path.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Answered } from '../parts/answered.tsx';
import { Command } from '../parts/copy.tsx';
import { Facts } from '../parts/facts.tsx';
import { Prose } from '../parts/prose.tsx';
import { TaskDetails } from '../parts/task-details.tsx';
import { useTitle } from '../parts/use-title.ts';
import { When } from '../parts/when.tsx';
import { hrefOf, Link } from '../router.tsx';

/**
 * Runs of `unrut run`: which tasks are done, which are stuck and why, and what the agents read.
 * `run` in the address is the one to show.
 */
export function TasksPage({ query }: { query: URLSearchParams }): JSX.Element {
  useTitle('Tasks');
  const answer = useAnswer<RunsAnswer>('/v1/runs?limit=50', { every: 3000 });
  return (
    <>
      <h1>Tasks</h1>
      <Answered answer={answer}>
        {({ runs }) => {
          const shown = query.get('run') ?? runs[0]?.run;
          if (shown === undefined) return <NoRun />;
          return (
            <>
              <p class="lead">
                Runs that give an agent a prompt, or one task after another, until all is done.
                Unrut sees when attempts come to the same.
              </p>
              <Run key={shown} run={shown} />
              {runs.length > 1 && <Runs runs={runs} shown={shown} />}
            </>
          );
        }}
      </Answered>
    </>
  );
}

const NoRun = (): JSX.Element => (
  <div class="empty">
    <p class="lead">
      No run has been recorded yet. A run gives an agent the same prompt, or the tasks of a roadmap,
      until they are done:
    </p>
    <Command text="npx unrut run PROMPT.md --check 'npm test' -- claude" />
    <Command text="npx unrut run roadmap.yaml -- claude" />
  </div>
);

const Runs = ({ runs, shown }: { runs: readonly RunStatus[]; shown: string }): JSX.Element => (
  <section aria-labelledby="runs">
    <h2 id="runs">All runs</h2>
    <ul class="sessions">
      {runs.map((run) => (
        <li key={run.run} class="session">
          <h3>
            <Link
              href={hrefOf('/tasks', { run: run.run })}
              aria-current={run.run === shown ? 'true' : undefined}
            >
              {nameOf(run)}
            </Link>{' '}
            <Standing run={run} />
          </h3>
          <Facts of={[<When at={run.last} />, triedText(run), <code>{run.run}</code>]} />
        </li>
      ))}
    </ul>
  </section>
);

const nameOf = ({ file, folder, run }: RunStatus): string =>
  printable([file || `Tasks of ${run}`, folder && `in ${folder}`].filter(Boolean).join(' '));

/** The number of attempts: iterations of a prompt, or attempts at all tasks. */
function triedText({ kind, tickCount, loopDetection }: RunStatus): string {
  if (kind === 'prompt') return counted(tickCount, 'iteration');
  return counted(
    Object.values(loopDetection).reduce((sum, { attemptCount }) => sum + attemptCount, 0),
    'attempt',
  );
}

function Standing({ run: { running, ending } }: { run: RunStatus }): JSX.Element {
  const [look, words] = running
    ? ['running', 'running']
    : ending === 'done'
      ? ['ended', 'done']
      : ending === null
        ? ['ended', 'ended without saying how']
        : ['looping', ENDINGS[ending] ?? 'cut off'];
  return <span class={`state ${look}`}>{words}</span>;
}

const ENDINGS: Record<string, string> = {
  limit: 'a limit was reached',
  loop: 'stopped: stuck in a loop',
  escalated: 'a person is needed',
  'nothing-to-do': 'nothing is left that can be done',
  interrupted: 'interrupted',
};

/** Statuses stand in reasons as a roadmap writes them. */
const statusText = (reason: string): string =>
  printable(reason).replace(
    /\b(?:needs_review|needs_improvement|in_progress)\b/g,
    (word) => `"${word.replace('_', ' ')}"`,
  );

/** Advice for a run that ended unfinished. */
function adviceOn({ running, ending, file, tasks }: RunAnswer): string {
  if (running || ending === 'done' || ending === null) return '';
  const stuck = tasks.filter(
    ({ status, setAside }) => status !== 'done' && setAside !== undefined,
  ).length;
  const first =
    ending === 'limit'
      ? 'See below how far it got, and raise the limit.'
      : ending === 'interrupted'
        ? ''
        : stuck > 0
          ? `Look at the ${stuck === 1 ? 'task' : `${number(stuck)} tasks`} below that ${stuck === 1 ? 'was' : 'were'} set aside, and give what is missing.`
          : 'See below what repeats, and change the prompt.';
  return `${first} Then run it again: unrut run ${printable(file)}`
    .trim()
    .replace(/^Then run/, 'Run');
}

function Run({ run }: { run: string }): JSX.Element {
  const answer = useAnswer<RunAnswer>(`/v1/runs/${nameInPath(run)}`, {
    concerns: (entry) => entry.session.startsWith(run),
  });
  return (
    <Answered answer={answer}>
      {(data) => {
        const { reason, kind, cost, last, tasks, tried, context } = data;
        const done = tasks.filter(({ status }) => status === 'done').length;
        return (
          <section aria-labelledby="run">
            <h2 id="run">
              {nameOf(data)} <Standing run={data} />
            </h2>
            {adviceOn(data) !== '' && <p class="advice">{adviceOn(data)}</p>}
            <p>
              {kind === 'roadmap' &&
                `${number(done)} of ${counted(tasks.length, 'task')} ${done === 1 ? 'is' : 'are'} done. `}
              {statusText(reason)}
            </p>
            <Facts
              of={[
                <When at={last} />,
                triedText(data),
                cost.tokens > 0 && `${short(cost.tokens)} tokens`,
                cost.usd > 0 && dollars(cost.usd),
                <Link href={hrefOf('/session', { id: data.run })}>the run step by step</Link>,
              ]}
            />
            {tasks.length > 0 && (
              <ul class="tasks">
                {tasks.map((task) => (
                  <TaskDetails key={task.id} task={task} />
                ))}
              </ul>
            )}
            {tried.length > 0 && (
              <>
                <h3>What each iteration came to</h3>
                <ol class="tried">
                  {tried.map(({ iteration, what }) => (
                    <li key={iteration} value={iteration}>
                      {printable(what)}
                    </li>
                  ))}
                </ol>
              </>
            )}
            <ContextList context={context} />
          </section>
        );
      }}
    </Answered>
  );
}

/** The context of the next prompts of a run. */
function ContextList({ context }: { context: readonly ContextEntry[] }): JSX.Element | null {
  if (context.length === 0) return null;
  return (
    <details>
      <summary>
        <h3>What the next prompts will include</h3>{' '}
        <span class="note">{number(context.length)}</span>
      </summary>
      <ul class="context">
        {context.map(({ id, timestamp, topic, content, relatedTasks }) => (
          <li key={id}>
            <p class="note">
              <When at={timestamp} />, <code>{printable(topic)}</code>
              {relatedTasks.length > 0 && `, about ${printable(relatedTasks.join(', '))}`}
            </p>
            <blockquote>
              <Prose text={content} />
            </blockquote>
          </li>
        ))}
      </ul>
    </details>
  );
}
