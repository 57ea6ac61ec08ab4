import { printable } from '@unrut/engine/text/printable';
import type { StreamEntry } from '@unrut/server/api/answers';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { listen, liveness } from '../api/stream.ts';
import { isTokenWanted } from '../api/token.ts';

/**
 * Minimum milliseconds between two sentences; of those in between, only the latest is said.
 */
const BREATH = 10_000;

/**
 * Announces important changes to screen readers: actions on an agent, and a lost or restored
 * connection. Steps are not announced.
 */
export function Announcer(): JSX.Element {
  const [said, say] = useState('');
  useEffect(() => {
    let [waiting, isBreathing, wasCut] = ['', false, false];

    function announce(text: string): void {
      waiting = text;
      if (isBreathing) return;
      isBreathing = true;
      say(waiting);
      waiting = '';
      setTimeout(() => {
        isBreathing = false;
        if (waiting !== '') announce(waiting);
      }, BREATH);
    }

    const unlisten = listen((entry) => entry?.kind === 'plan' && announce(toldOf(entry)));
    const unsubscribe = liveness.subscribe(() => {
      const state = liveness.get();
      if (state === 'cut' && !wasCut && !isTokenWanted.get())
        announce('The page is not live: the server cannot be reached.');
      else if (state === 'live' && wasCut) announce('The page is live again.');
      wasCut = state === 'cut';
    });
    return () => {
      unlisten();
      unsubscribe();
    };
  }, []);
  return (
    <p class="unseen" role="status">
      {said}
    </p>
  );
}

function toldOf({ data }: StreamEntry): string {
  if (data.shadow === true) return 'An agent is stuck in a loop. This was only recorded.';
  return printable(`An agent is stuck in a loop: ${String(data.toHuman ?? '')}`);
}
