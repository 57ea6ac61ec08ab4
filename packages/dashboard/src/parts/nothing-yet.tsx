import type { JSX } from 'preact';
import { hrefOf, Link } from '../router.tsx';

/** For a page on which there is nothing to show yet: where to go. */
export const NothingYet = (): JSX.Element => (
  <p class="empty">
    <Link href={hrefOf('/')}>Agents that are connected now, and how to connect one</Link>
  </p>
);
