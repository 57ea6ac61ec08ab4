import type { Chart } from '@unrut/ledger/report/html/scan-charts';
import type { JSX } from 'preact';

/** Bars as a table, so that it reads well without being seen, and wraps on a phone. */
export const BarChart = ({ title, heads, bars, more }: Chart): JSX.Element => (
  <div class="chart">
    <table>
      <caption>{title}</caption>
      <thead class="unseen">
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bars.map(({ label, note, run, kind, part, figure }, i) => (
          <tr key={i}>
            <th scope="row">
              {kind !== undefined && <i class={`swatch ${kind}`} aria-hidden="true" />}
              {run === undefined ? label : <a href={`#run-${run}`}>{label}</a>}{' '}
              {note !== undefined && <span class="note">{note}</span>}
            </th>
            <td>
              <Share part={part} isNeutral={kind !== undefined} />
              <span>{figure}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    {more !== undefined && <p class="note">{more}</p>}
  </div>
);

/** One bar. Its value is in the text next to it. */
export const Share = ({
  part,
  isNeutral = false,
}: {
  part: number;
  isNeutral?: boolean;
}): JSX.Element => (
  <svg
    class={isNeutral ? 'share neutral' : 'share'}
    viewBox="0 0 1000 10"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    <rect class="whole" width="1000" height="10" />
    <rect class="part" width={Math.round(1000 * Math.min(1, Math.max(0, part)))} height="10" />
  </svg>
);
