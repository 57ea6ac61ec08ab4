import type { StreamEntry } from '@unrut/server/api/answers';
import { place } from '../router.tsx';
import { createStore, type Store } from '../store.ts';
import { AskError, request } from './ask.ts';
import { inProject } from './in-project.ts';
import { me } from './me.ts';
import { readEvents } from './read-events.ts';
import { token } from './token.ts';

/** Whether what happens is shown as it happens. */
export type Liveness = 'connecting' | 'live' | 'cut';

export const liveness: Store<Liveness> = createStore<Liveness>('connecting');

/** The status with which the server refused the event stream; 0 if there was no answer. */
export const refusedWith: Store<number> = createStore(0);

/** The last message of the server, in epoch milliseconds; 0 if there was none. */
export const lastHeard: Store<number> = createStore(0);

/**
 * Called with each entry that is added to the ledger; with `null` when some may have been missed.
 */
type Listener = (entry: StreamEntry | null) => unknown;

const listeners = new Set<Listener>();

/** Follows the ledger until the returned function is called. */
export function listen(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const tell = (entry: StreamEntry | null): void => {
  for (const listener of [...listeners]) listener(entry);
};

/** Has every answer asked for again. */
export const lookAgain = (): void => tell(null);

const STREAM = '/v1/stream';
const FIRST_PAUSE = 1000;
const MAX_PAUSE = 30_000;
/** The server sends a beat every 15 seconds: after three missed ones it is gone. */
const SILENCE = 45_000;

/**
 * Follows the ledger as long as the page is seen, and tries again, ever less often, when it is cut
 * off. A page in the background does not listen: browsers allow few connections to one server at a
 * time.
 */
export async function followLedger(): Promise<never> {
  let [pause, last] = [FIRST_PAUSE, ''];
  for (;;) {
    while (document.hidden) await once(document, 'visibilitychange');
    const quiet = new AbortController();
    document.addEventListener('visibilitychange', () => quiet.abort(), {
      once: true,
      signal: quiet.signal,
    });
    const path = streamPath();
    const unfollow = [place, me].map((store) =>
      store.subscribe(() => streamPath() !== path && quiet.abort()),
    );
    try {
      const response = await request(path, {
        signal: quiet.signal,
        headers: last === '' ? {} : { 'last-event-id': last },
      });
      liveness.set('live');
      lastHeard.set(Date.now());
      pause = FIRST_PAUSE;
      tell(null);
      let silence: ReturnType<typeof setTimeout> | undefined;
      for await (const event of readEvents(response.body!)) {
        clearTimeout(silence);
        lastHeard.set(Date.now());
        silence = setTimeout(() => quiet.abort(), SILENCE);
        if (event?.id) last = event.id;
        if (event?.name === 'gap') tell(null);
        else if (event?.name === 'entry') tell(JSON.parse(event.data) as StreamEntry);
      }
      refusedWith.set(0);
    } catch (error) {
      // Any other error: retrying will show.
      refusedWith.set(error instanceof AskError ? error.status : 0);
    }
    for (const stop of unfollow) stop();
    quiet.abort();
    if (document.hidden || streamPath() !== path) continue;
    liveness.set('cut');
    await untilNextTry(pause);
    pause = Math.min(MAX_PAUSE, pause * 2);
  }
}

const streamPath = (): string => inProject(STREAM) ?? STREAM;

const once = (target: EventTarget, event: string): Promise<unknown> =>
  new Promise((resolve) => target.addEventListener(event, resolve, { once: true }));

/** Waits this many milliseconds, or less when there is a new token or the network is back. */
async function untilNextTry(pause: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const timer = setTimeout(resolve, pause, null);
  const unsubscribe = token.subscribe(() => resolve(null));
  addEventListener('online', resolve, { once: true });
  await promise;
  clearTimeout(timer);
  unsubscribe();
}
