import type { JSX } from 'preact';
import type { SessionRow } from '../../../src/server/api/answers.ts';
import { showCommand } from '../loop-words.ts';
import { acknowledge, acknowledged, isAcknowledged } from '../preferences.ts';
import { hrefOf } from '../router.tsx';
import { useStore } from '../store.ts';
import { Copy } from './copy.tsx';

/** What can be done about a session where one sees it. */
export function SessionActions({ session }: { session: SessionRow }): JSX.Element {
  useStore(acknowledged);
  const isSeen = isAcknowledged(session);
  return (
    <p class="actions">
      {session.state === 'looping' && (
        <button
          type="button"
          class="small"
          aria-pressed={isSeen}
          title="Marks this loop as seen in this browser. It is shown again when a new loop begins."
          onClick={() => acknowledge(session)}
        >
          {isSeen ? 'Acknowledged' : 'Acknowledge'}
        </button>
      )}
      <Copy text={() => showCommand(session)} name="Copy command" of="that shows it in a terminal" />
      <Copy text={() => location.origin + hrefOf('/session', { id: session.session })} name="Copy link" />
    </p>
  );
}
