import { createStore, type Store } from './store.ts';

/** Light, dark, or as the system says. */
export type Theme = 'system' | 'light' | 'dark';
/** The time zone to use. */
export type Zone = 'local' | 'utc';

/**
 * A preference stored in this browser. Pages in a file, or without storage, lose it when they are
 * closed.
 */
function preference<T extends string>(key: string, usual: T, allowed: readonly T[]): Store<T> {
  const kept = attempt(() => localStorage.getItem(key)) as T | null;
  const store = createStore<T>(kept !== null && allowed.includes(kept) ? kept : usual);
  store.subscribe(() => {
    const value = store.get();
    attempt(() =>
      value === usual ? localStorage.removeItem(key) : localStorage.setItem(key, value),
    );
  });
  return store;
}

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

export const theme: Store<Theme> = preference('unrut-theme', 'system', ['system', 'light', 'dark']);
export const zone: Store<Zone> = preference('unrut-zone', 'local', ['local', 'utc']);

/**
 * Sessions whose present loop was acknowledged: each by its name and the time at which the loop was
 * noticed.
 */
const ACKNOWLEDGED = 'unrut-acknowledged';
const MAX_ACKNOWLEDGED = 500;
const readAcknowledged = (): string[] =>
  (attempt(() => JSON.parse(localStorage.getItem(ACKNOWLEDGED) ?? '[]')) as string[] | null) ?? [];
export const acknowledged: Store<readonly string[]> = createStore<readonly string[]>(
  readAcknowledged(),
);

const nameOf = ({ session, loopingSince = 0 }: Acknowledgeable): string =>
  `${loopingSince} ${session}`;

interface Acknowledgeable {
  session: string;
  loopingSince?: number;
}

/** Somebody has seen this loop. A later loop of the session is another. */
export const isAcknowledged = (session: Acknowledgeable): boolean =>
  acknowledged.get().includes(nameOf(session));

/** Marks a loop as seen in this browser, or takes that back. */
export function acknowledge(session: Acknowledgeable): void {
  const name = nameOf(session);
  const others = acknowledged.get().filter((each) => each !== name);
  const names = isAcknowledged(session) ? others : [...others, name].slice(-MAX_ACKNOWLEDGED);
  acknowledged.set(names);
  attempt(() =>
    names.length === 0
      ? localStorage.removeItem(ACKNOWLEDGED)
      : localStorage.setItem(ACKNOWLEDGED, JSON.stringify(names)),
  );
}

/** The page follows the theme that was chosen. */
export function applyTheme(): void {
  const show = (): void => {
    document.documentElement.dataset.theme = theme.get();
  };
  theme.subscribe(show);
  show();
}
