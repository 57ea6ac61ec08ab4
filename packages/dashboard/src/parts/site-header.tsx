import type { DashboardPage } from '@unrut/server/dashboard-pages';
import type { JSX } from 'preact';
import { me } from '../api/me.ts';
import { type Liveness, liveness } from '../api/stream.ts';
import { isTokenWanted } from '../api/token.ts';
import { Link } from '../router.tsx';
import { useStore } from '../store.ts';
import { Logo } from './logo.tsx';
import { ORGANISATION, PAGE_NAMES } from './page-names.ts';
import { isPaletteOpen } from './palette.tsx';
import { Preferences } from './preferences.tsx';

const LIVE: Record<Liveness, { name: string; meaning: string }> = {
  connecting: { name: 'Connecting', meaning: 'The page asks the server to tell what happens.' },
  live: { name: 'Live', meaning: 'What happens is shown as it happens.' },
  cut: {
    name: 'Not live',
    meaning: 'Nothing comes from the server. What is shown may be old; the page keeps trying.',
  },
};

/** What is on top of every page: where one can go, and whether what is shown is live. */
export function SiteHeader({ page }: { page: DashboardPage | null }): JSX.Element {
  const state = useStore(liveness);
  const isLocked = useStore(isTokenWanted);
  const isForMany = useStore(me)?.organisation != null;
  const pageNames = isForMany ? [...PAGE_NAMES, ORGANISATION] : PAGE_NAMES;
  return (
    <header class="site">
      <Link href="/" class="brand">
        <Logo /> Unrut
      </Link>
      <nav aria-label="Pages">
        <ul>
          {pageNames.map(([path, name]) => (
            <li key={path}>
              <Link href={path} aria-current={path === page ? 'page' : undefined}>
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {!isLocked && (
        <>
          <button
            type="button"
            class="small"
            onClick={() => isPaletteOpen.set(true)}
            title="Ctrl K: go to a page or session, or do something"
          >
            Go to <kbd class="for-mouse">Ctrl K</kbd>
          </button>
          <p class={`liveness ${state}`} title={LIVE[state].meaning}>
            {LIVE[state].name}
          </p>
        </>
      )}
    </header>
  );
}

/** Below every page: how it looks, and that it keeps to itself. */
export const SiteFooter = (): JSX.Element => (
  <footer>
    <Preferences />
    <p>
      Nothing on this page comes from elsewhere, and nothing leaves this server. Secrets were masked
      before they were recorded.
    </p>
  </footer>
);
