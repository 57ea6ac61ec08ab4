import type { ComponentChildren, JSX } from 'preact';

/** Short facts; those that are false or empty are left out. */
export const Facts = ({ of }: { of: readonly ComponentChildren[] }): JSX.Element => (
  <ul class="facts">
    {of.filter(Boolean).map((fact, i) => (
      <li key={i}>{fact}</li>
    ))}
  </ul>
);
