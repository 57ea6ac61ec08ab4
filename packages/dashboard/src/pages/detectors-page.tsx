import { printable } from '@unrut/engine/text/printable';
import { counted, number } from '@unrut/ledger/report/figures';
import type { DetectorsAnswer } from '@unrut/server/api/answers';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useAnswer } from '../api/use-answer.ts';
import { Answered } from '../parts/answered.tsx';
import { DetectorDetails } from '../parts/detector-details.tsx';
import { PeriodChoice, periodOf } from '../parts/period.tsx';
import { useTitle } from '../parts/use-title.ts';

/** Each detector's purpose, findings, thresholds, and how to change them. */
export function DetectorsPage({ query }: { query: URLSearchParams }): JSX.Element {
  useTitle('Detectors');
  const { since, words } = periodOf(query);
  const answer = useAnswer<DetectorsAnswer>(`/v1/detectors?since=${since}`, {
    concerns: ({ kind }) => kind === 'signal',
    every: 5000,
  });
  return (
    <>
      <h1>What Unrut looks for</h1>
      <Answered answer={answer}>
        {(data) => (
          <>
            <p class="lead">{summaryOf(data, words)}</p>
            <search class="tools">
              <PeriodChoice since={since} />
            </search>
            <HowToChange {...data} />
            <Detectors {...data} />
          </>
        )}
      </Answered>
    </>
  );
}

function summaryOf({ detectors, preset, shadow }: DetectorsAnswer, period: string): string {
  const on = detectors.filter(({ isOn }) => isOn).length;
  const fired = detectors.filter(({ signals }) => signals > 0).length;
  const only = shadow ? ' What they see is only recorded (shadow mode).' : '';
  return `Each detector recognizes one kind of loop. ${number(on)} of ${number(detectors.length)} are on (preset ${preset}); in ${period} ${fired === 0 ? 'none' : number(fired)} of them fired.${only}`;
}

/** Detectors sorted by number of findings. A link opens one. */
function Detectors({ detectors }: DetectorsAnswer): JSX.Element {
  const wanted = location.hash.slice(1);
  useEffect(() => {
    if (wanted !== '') document.getElementById(wanted)?.scrollIntoView();
  }, [wanted]);
  const most = Math.max(1, ...detectors.map(({ signals }) => signals));
  const sorted = detectors.toSorted(
    (one, other) => other.signals - one.signals || (one.name < other.name ? -1 : 1),
  );
  return (
    <section aria-labelledby="detectors">
      <h2 id="detectors">
        {counted(detectors.length, 'detector')}
        {sorted[0]?.signals ? ', those that saw most first' : ''}
      </h2>
      {sorted.map((detector) => (
        <DetectorDetails
          key={detector.name}
          detector={detector}
          most={most}
          isOpen={detector.name === wanted}
        />
      ))}
    </section>
  );
}

const HowToChange = ({ files, problems }: DetectorsAnswer): JSX.Element => (
  <details class="change">
    <summary>
      <h2>How to change them</h2>
    </summary>
    <p>
      Write into <code>{printable(files.project ?? 'unrut.config.json in the project')}</code>, or
      for all projects into <code>{printable(files.user)}</code>:
    </p>
    <pre>
      <code>{EXAMPLE}</code>
    </pre>
    <p>
      A variable does the same for one run; each threshold below names its own.{' '}
      <code>npx unrut config</code> prints what is in force and where it comes from. Shown here is
      what holds in the folder in which <code>unrut serve</code> was started.
    </p>
    {problems.length > 0 && (
      <ul class="problem">
        {problems.map((problem) => (
          <li key={problem}>{printable(problem)}</li>
        ))}
      </ul>
    )}
  </details>
);

const EXAMPLE = `{
  "detectors": {
    "repeated-call": { "threshold": 4 },
    "stale-poll": false
  }
}`;
