import type { OutcomeCounts } from '@unrut/ledger/figures/session-figures';
import type { SessionRow } from '@unrut/server/api/answers';
import type { JSX } from 'preact';
import { sessionName } from '../session-name.ts';
import { nameText } from './words.ts';

type Named = Pick<SessionRow, 'host' | 'folder' | 'session' | 'name'>;

/** A session's title: the agent program and its folder. */
export function titleOf({ host, folder, ...named }: Named): string {
  if (host === undefined && folder === undefined) return sessionName(named);
  return `${nameText(host ?? 'An agent')}${folder === undefined ? '' : ` in ${nameText(folder)}`}`;
}

/** Labels of session states. */
const STATES: Record<SessionRow['state'], { name: string; meaning: string }> = {
  looping: {
    name: 'stuck in a loop',
    meaning: 'One of its last two steps repeated earlier steps without new information.',
  },
  stalled: {
    name: 'stalled',
    meaning:
      'A call has been open for too long, or nothing has come from it in the middle of a turn.',
  },
  stopped: {
    name: 'stopped',
    meaning: 'Unrut ended the run, since nothing got it out of its loop. Nothing has run since.',
  },
  running: {
    name: 'running',
    meaning: 'It was active in the last five minutes and is not looping.',
  },
  silent: {
    name: 'silent',
    meaning: 'It has not ended, but it has been inactive for five minutes.',
  },
  ended: { name: 'ended', meaning: 'Its host reported the end.' },
};

const FAILING = { name: 'failing', meaning: 'It is running, and its latest calls all failed.' };

/** The state of a session as a small sign with words. */
export const State = ({
  state,
  failing,
  isSeen = false,
}: Pick<SessionRow, 'state' | 'failing'> & { isSeen?: boolean }): JSX.Element => {
  const { name, meaning } = failing ? FAILING : STATES[state];
  return (
    <span class={`state ${failing ? 'failing' : state}${isSeen ? ' seen' : ''}`} title={meaning}>
      {name}
    </span>
  );
};

/** Labels of outcomes. */
export const OUTCOMES: Record<keyof OutcomeCounts, { name: string; meaning: string }> = {
  recovered: {
    name: 'it worked',
    meaning: 'What had failed succeeded later, or the agent moved on to something new.',
  },
  persisted: { name: 'no effect', meaning: 'The agent kept repeating the same thing.' },
  relapsed: {
    name: 'it came back',
    meaning: 'It had worked, but the same repetition came back later.',
  },
  unknown: {
    name: 'unknown',
    meaning: 'The run ended, or too little happened, before the outcome was clear.',
  },
};

/** The label of an outcome. After a shadow plan, an agent that got out did so without help. */
export const outcomeText = (outcome: keyof OutcomeCounts, shadow = false): string =>
  shadow && outcome === 'recovered' ? 'it recovered on its own' : OUTCOMES[outcome].name;
