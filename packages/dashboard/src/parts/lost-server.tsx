import type { JSX } from 'preact';
import { lastHeard, liveness } from '../api/stream.ts';
import { isTokenWanted } from '../api/token.ts';
import { useStore } from '../store.ts';
import { Command } from './copy.tsx';
import { When } from './when.tsx';

/** While the server is away: how old what is shown is, and what to do. */
export function LostServer(): JSX.Element | null {
  const state = useStore(liveness);
  const isLocked = useStore(isTokenWanted);
  const heard = useStore(lastHeard);
  if (state !== 'cut' || isLocked) return null;
  return (
    <div class="banner" role="alert">
      <p>
        <strong>The server does not answer.</strong>{' '}
        {heard === 0 ? (
          'Nothing could be loaded yet.'
        ) : (
          <>
            What is shown is from <When at={heard} />.
          </>
        )}{' '}
        The page keeps trying. If the server was stopped, start it again:
      </p>
      <Command text="npx unrut serve" />
    </div>
  );
}
