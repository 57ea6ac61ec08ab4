import type { JSX } from 'preact';
import { kinds } from '../../../src/report/html/kinds.ts';

const SIGNS: [parts: string, meaning: string][] = [
  ['start', 'where a loop starts'],
  ['noticed', 'where Unrut detects it'],
  ['after', 'what came after that'],
  ['after end', 'where it ends'],
];

/** What the signs of a timeline mean. */
export const Legend = (): JSX.Element => (
  <details class="legend">
    <summary>What the signs mean</summary>
    <ul>
      {kinds.map(({ name, meaning }) => (
        <li key={name}>
          <i class={`swatch ${name}`} aria-hidden="true" />
          <span>{meaning}</span>
        </li>
      ))}
      {SIGNS.map(([parts, meaning]) => (
        <li key={parts}>
          <i class="swatch sign" aria-hidden="true">
            <b class={`bracket ${parts}`} />
          </i>
          <span>{meaning}</span>
        </li>
      ))}
    </ul>
  </details>
);
