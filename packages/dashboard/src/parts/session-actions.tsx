import type { ActAnswer, SessionControl, SessionRow } from '@unrut/server/api/answers';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AskError } from '../api/ask.ts';
import { inProject } from '../api/in-project.ts';
import { change } from '../api/me.ts';
import { lookAgain } from '../api/stream.ts';
import { showCommand } from '../loop-words.ts';
import { acknowledge, acknowledged, isAcknowledged } from '../preferences.ts';
import { hrefOf } from '../router.tsx';
import { useStore } from '../store.ts';
import { Copy } from './copy.tsx';

interface ActionsProps {
  session: SessionRow;
  /** Undefined if no actions are available. */
  control: SessionControl | undefined;
}

/** The actions on a session. */
export function SessionActions({ session, control }: ActionsProps): JSX.Element {
  useStore(acknowledged);
  const isSeen = isAcknowledged(session);
  return (
    <div class="actions">
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
      <Copy
        text={() => showCommand(session)}
        name="Copy command"
        of="that shows it in a terminal"
      />
      <Copy
        text={() =>
          location.origin + hrefOf('/session', { id: session.session, project: session.project })
        }
        name="Copy link"
      />
      {control && <Orders session={session} control={control} />}
    </div>
  );
}

/** The server's actions on a session. */
function Orders({
  session,
  control: { isOff, canStop, isStopping },
}: {
  session: SessionRow;
  control: SessionControl;
}): JSX.Element {
  const [said, say] = useState('');
  const [isAsked, ask] = useState(false);
  const order = async (act: string): Promise<void> => {
    ask(false);
    try {
      const { text } = await change<ActAnswer>(
        'POST',
        inProject('/v1/act', session.project) ?? '/v1/act',
        {
          session: session.session,
          act,
        },
      );
      say(text);
      lookAgain();
    } catch (error) {
      say((error as AskError).message);
    }
  };
  const button = (act: string, name: string, title: string): JSX.Element => (
    <button type="button" class="small" title={title} onClick={() => void order(act)}>
      {name}
    </button>
  );
  return (
    <>
      {(session.loops > 0 || session.plans > 0) &&
        button(
          'false-alarm',
          'False alarm',
          'From now on Unrut adds no more than a note to this call; told again, it says nothing.',
        )}
      {isOff
        ? button('on', 'Switch Unrut on', 'It is off for this session.')
        : session.state !== 'ended' &&
          button(
            'off',
            'Off for this session',
            'Unrut says and does nothing more in this session, and still records.',
          )}
      {canStop && session.state !== 'ended' && !isStopping && (
        <button
          type="button"
          class="small danger"
          title="Ends the run at its next call. You can resume it by talking to the agent."
          onClick={() => (isAsked ? void order('stop') : ask(true))}
        >
          {isAsked ? 'Really stop the run?' : 'Stop'}
        </button>
      )}
      {isStopping && <span class="note">It will be stopped at its next call.</span>}
      <span role="status">{said}</span>
    </>
  );
}
