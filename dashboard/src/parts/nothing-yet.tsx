import type { JSX } from 'preact';
import { Link } from '../router.tsx';

/** For a page on which there is nothing to show yet: why, and where to go. */
export const NothingYet = ({ what }: { what: string }): JSX.Element => (
  <div class="empty">
    <p>{what}</p>
    <p>
      <Link href="/">Agents that are connected now, and how to connect one</Link>
    </p>
  </div>
);
