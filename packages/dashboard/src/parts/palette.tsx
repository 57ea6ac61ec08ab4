import type { SessionsAnswer } from '@unrut/server/api/answers';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask } from '../api/ask.ts';
import { inProject } from '../api/in-project.ts';
import { theme, zone } from '../preferences.ts';
import { go, hrefOf } from '../router.tsx';
import { createStore, type Store, useStore } from '../store.ts';
import { PAGE_NAMES, SETTINGS, TASKS } from './page-names.ts';
import { titleOf } from './session-words.tsx';

/** Something that can be done from anywhere. */
interface PaletteEntry {
  name: string;
  hint: string;
  act(): void;
}

export const isPaletteOpen: Store<boolean> = createStore(false);

const MAX_SESSIONS = 8;

const COMMANDS: readonly PaletteEntry[] = [
  ...[...PAGE_NAMES, TASKS, SETTINGS].map(([path, name]) => ({
    name,
    hint: 'page',
    act: () => go(hrefOf(path)),
  })),
  {
    name: 'Agents that are stuck',
    hint: 'filter',
    act: () => go(hrefOf('/', { state: 'looping' })),
  },
  { name: 'Sessions with loops', hint: 'filter', act: () => go(hrefOf('/', { loops: 1 })) },
  {
    name: 'Sessions that wasted most',
    hint: 'sort',
    act: () => go(hrefOf('/', { sort: 'wasted' })),
  },
  ...(['light', 'dark', 'system'] as const).map((name) => ({
    name: `Theme: ${name}`,
    hint: 'setting',
    act: () => theme.set(name),
  })),
  { name: 'Times in UTC', hint: 'setting', act: () => zone.set('utc') },
  { name: 'Times in my time zone', hint: 'setting', act: () => zone.set('local') },
  { name: 'Print this page', hint: 'action', act: () => print() },
];

/** Ctrl K or ⌘ K: goes to a page or a session, or does something, by typing a part of its name. */
export function Palette(): JSX.Element | null {
  const isOpen = useStore(isPaletteOpen);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      isPaletteOpen.set(!isPaletteOpen.get());
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return isOpen ? <OpenPalette /> : null;
}

function OpenPalette(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const [at, goTo] = useState(0);
  const sessions = useSessions(typed);
  const words = typed.toLowerCase();
  const found = [...COMMANDS.filter(({ name }) => name.toLowerCase().includes(words)), ...sessions];
  const chosen = Math.min(at, found.length - 1);
  useEffect(() => dialog.current?.showModal(), []);
  const close = (): void => isPaletteOpen.set(false);
  const take = (entry: PaletteEntry | undefined): void => {
    close();
    entry?.act();
  };
  const press = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by !== 0) goTo((chosen + by + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter') take(found[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself.
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Go to, or do"
      onClose={close}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <input
        type="text"
        role="combobox"
        aria-label="Page, session or action"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found.length > 0 ? `palette-${chosen}` : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder="Page, session or action"
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          goTo(0);
        }}
        onKeyDown={press}
      />
      <div id="palette-list" role="listbox" aria-label="Found">
        {found.map((entry, i) => (
          // biome-ignore lint/a11y: the combobox above takes the keys.
          <div
            key={`${entry.hint} ${entry.name}`}
            id={`palette-${i}`}
            role="option"
            aria-selected={i === chosen}
            onClick={() => take(entry)}
          >
            <span>{entry.name}</span>
            <span class="note">{entry.hint}</span>
          </div>
        ))}
      </div>
      <p class="note">
        <kbd>↑</kbd> <kbd>↓</kbd> choose, <kbd>Enter</kbd> go, <kbd>Esc</kbd> close. On Now:{' '}
        <kbd>j</kbd> <kbd>k</kbd> next and previous session, <kbd>Enter</kbd> open, <kbd>/</kbd>{' '}
        find.
      </p>
    </dialog>
  );
}

/** Sessions that match the typed text. */
function useSessions(typed: string): PaletteEntry[] {
  const [found, setFound] = useState<PaletteEntry[]>([]);
  useEffect(() => {
    if (typed.length < 2) return setFound([]);
    const left = new AbortController();
    const query = new URLSearchParams({ search: typed, limit: String(MAX_SESSIONS) });
    const path = `/v1/sessions?${query}`;
    ask<SessionsAnswer>(inProject(path) ?? path, left.signal).then(
      ({ sessions }) =>
        setFound(
          sessions.map((row) => ({
            name: titleOf(row),
            hint: `${row.state}, ${row.name}`,
            act: () => go(hrefOf('/session', { id: row.session, project: row.project })),
          })),
        ),
      () => undefined,
    );
    return () => left.abort();
  }, [typed]);
  return found;
}
