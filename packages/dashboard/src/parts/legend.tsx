import { loopKindOf } from '@unrut/ledger/report/html/kinds';
import type { JSX } from 'preact';
import { TALL } from './timeline.tsx';

/** The legend of a timeline. */
export const Legend = (): JSX.Element => (
  <details class="legend">
    <summary>What the colors and signs mean</summary>
    <ul>
      <li>
        <Sample>
          <rect class="burst" y={5} width={12} height={6} rx={2} />
        </Sample>
        the loop: a bar below the steps that belong to it
      </li>
      {Object.entries(TALL).map(([letter, tall]) => {
        const { name, meaning } = loopKindOf(letter);
        return (
          <li key={name}>
            <Sample>
              <rect class={`bar ${name}`} y={16 - 16 * tall} width={12} height={16 * tall} />
            </Sample>
            {meaning}
          </li>
        );
      })}
      <li>
        <Sample>
          <circle class="sign word" cx={6} cy={8} r={3} />
        </Sample>
        Unrut warns or suggests
      </li>
      <li>
        <Sample>
          <rect class="sign force" x={3} y={5} width={5} height={6} />
        </Sample>
        Unrut blocks or redirects
      </li>
      <li>
        <Sample>
          <path class="sign human" d="M1 2h10l-5 12z" />
        </Sample>
        Unrut asks a human or stops the run
      </li>
    </ul>
  </details>
);

const Sample = ({ children }: { children: JSX.Element }): JSX.Element => (
  <svg width={14} height={16} aria-hidden="true">
    {children}
  </svg>
);
