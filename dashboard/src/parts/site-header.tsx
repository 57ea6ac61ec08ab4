import type { JSX } from 'preact';
import type { DashboardPage } from '../../../src/server/dashboard-pages.ts';
import { type Liveness, liveness } from '../api/stream.ts';
import { isTokenWanted } from '../api/token.ts';
import { Link } from '../router.tsx';
import { useStore } from '../store.ts';

const NAMES: [DashboardPage, string][] = [
  ['/', 'Now'],
  ['/recoveries', 'Recoveries'],
  ['/cost', 'Cost'],
  ['/tasks', 'Tasks'],
  ['/detectors', 'Detectors'],
];

const LIVE: Record<Liveness, { name: string; meaning: string }> = {
  connecting: { name: 'Connecting', meaning: 'The page asks the server to tell what happens.' },
  live: { name: 'Live', meaning: 'What happens is shown as it happens.' },
  cut: { name: 'Not live', meaning: 'The server cannot be reached. What is shown may be old; the page keeps trying.' },
};

/** What is on top of every page: where one can go, and whether what is shown is live. */
export function SiteHeader({ page }: { page: DashboardPage | null }): JSX.Element {
  const state = useStore(liveness);
  const isLocked = useStore(isTokenWanted);
  return (
    <header class="site">
      <Link href="/" class="brand">
        <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
          <path d="M12 20a8 8 0 1 1 8-8c0 5-3 8-8 8h10" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" />
        </svg>
        Unrut
      </Link>
      <nav aria-label="Pages">
        <ul>
          {NAMES.map(([path, name]) => (
            <li key={path}>
              <Link href={path} aria-current={path === page ? 'page' : undefined}>
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {!isLocked && (
        <p class={`liveness ${state}`} title={LIVE[state].meaning}>
          {LIVE[state].name}
        </p>
      )}
    </header>
  );
}
