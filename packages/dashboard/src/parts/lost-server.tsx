import type { JSX } from 'preact';
import { lastHeard, liveness, refusedWith } from '../api/stream.ts';
import { isTokenWanted } from '../api/token.ts';
import { useStore } from '../store.ts';
import { Command } from './copy.tsx';
import { When } from './when.tsx';

/** The problem and advice, by status of the answer. */
const ANSWERED: Readonly<Record<number, { what: string; todo: string }>> = {
  403: {
    what: 'You may not look at anything here.',
    todo: 'Ask an admin of your organisation for a role, or use a key with the scope read.',
  },
  429: { what: 'This is more than the server allows.', todo: 'The page keeps trying.' },
  503: {
    what: 'The server cannot use its ledger.',
    todo: 'It answers, but its database or disk does not; its log says why. The page keeps trying.',
  },
};

const FAULT = {
  what: 'The server answers with an error.',
  todo: 'Its log says why. The page keeps trying.',
};

/** Shown without a connection: the reason, the age of the data, and advice. */
export function LostServer(): JSX.Element | null {
  const state = useStore(liveness);
  const isLocked = useStore(isTokenWanted);
  const heard = useStore(lastHeard);
  const status = useStore(refusedWith);
  if (state !== 'cut' || isLocked) return null;
  const answered = status === 0 ? undefined : (ANSWERED[status] ?? FAULT);
  return (
    <div class="banner" role="alert">
      <p>
        <strong>{answered?.what ?? 'The server does not answer.'}</strong>{' '}
        {heard > 0 && (
          <>
            What is shown is from <When at={heard} />.{' '}
          </>
        )}
        {heard === 0 && !answered && 'Nothing could be loaded yet. '}
        {answered?.todo ?? 'The page keeps trying. If the server was stopped, start it again:'}
      </p>
      {!answered && <Command text="npx unrut serve" />}
    </div>
  );
}
