import type { JSX } from 'preact';

/** A rut, and the way out of it. */
export const Logo = (): JSX.Element => (
  <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
    <path
      d="M12 20a8 8 0 1 1 8-8c0 5-3 8-8 8h10"
      fill="none"
      stroke="currentColor"
      stroke-width="2.4"
      stroke-linecap="round"
    />
  </svg>
);
