import type { JSX } from 'preact';
import { useTitle } from '../parts/use-title.ts';
import { Link } from '../router.tsx';

/** For an address that names no page. */
export function LostPage(): JSX.Element {
  useTitle('No such page');
  return (
    <>
      <h1>There is no such page</h1>
      <p>
        <Link href="/">What agents are doing now</Link>
      </p>
    </>
  );
}
