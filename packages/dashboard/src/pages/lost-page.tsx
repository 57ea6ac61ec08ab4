import type { ComponentChildren, JSX } from 'preact';
import { useTitle } from '../parts/use-title.ts';
import { hrefOf, Link } from '../router.tsx';

interface LostProps {
  title?: string;
  children?: ComponentChildren;
}

/** For an address that leads to nothing: what may have happened, and ways on. */
export function LostPage({ title = 'There is no such page', children }: LostProps): JSX.Element {
  useTitle(title);
  return (
    <div class="lost">
      <h1>{title}</h1>
      <p class="lead">
        {children ?? 'The address may be mistyped, or of another version of Unrut.'}
      </p>
      <ul>
        <li>
          <Link href={hrefOf('/')}>What agents are doing now</Link>
        </li>
        <li>
          <Link href={hrefOf('/', { loops: 1, sort: 'last' })}>Sessions with loops</Link>
        </li>
        <li>
          <Link href={hrefOf('/cost')}>What loops cost</Link>
        </li>
      </ul>
    </div>
  );
}
