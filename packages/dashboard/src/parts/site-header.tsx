import type { RunsAnswer } from '@unrut/server/api/answers';
import type { DashboardPage } from '@unrut/server/dashboard-pages';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { me } from '../api/me.ts';
import { type Liveness, liveness } from '../api/stream.ts';
import { isTokenWanted } from '../api/token.ts';
import { useAnswer } from '../api/use-answer.ts';
import { hrefOf, Link } from '../router.tsx';
import { createStore, useStore } from '../store.ts';
import { Logo } from './logo.tsx';
import { ORGANISATION, PAGE_NAMES, SETTINGS, TASKS } from './page-names.ts';
import { isPaletteOpen } from './palette.tsx';
import { Preferences } from './preferences.tsx';
import { ProjectChoice } from './project-choice.tsx';

const LIVE: Record<Liveness, { name: string; meaning: string }> = {
  connecting: { name: 'Connecting', meaning: 'The page asks the server to tell what happens.' },
  live: { name: 'Live', meaning: 'What happens is shown as it happens.' },
  cut: {
    name: 'Not live',
    meaning: 'Nothing comes from the server. What is shown may be old; the page keeps trying.',
  },
};

/** The header of every page: navigation, and whether the data is live. */
export function SiteHeader({ page }: { page: DashboardPage | null }): JSX.Element {
  const state = useStore(liveness);
  const isLocked = useStore(isTokenWanted);
  const isForMany = useStore(me)?.organisation != null;
  const hasRuns = useHasRuns() || page === TASKS[0];
  const pageNames = [
    ...PAGE_NAMES,
    ...(hasRuns ? [TASKS] : []),
    ...(isForMany ? [ORGANISATION] : []),
  ];
  const [settings, settingsName] = SETTINGS;
  return (
    <header class="site">
      <Link href={hrefOf('/')} class="brand">
        <Logo /> Unrut
      </Link>
      <nav aria-label="Pages">
        <ul>
          {pageNames.map(([path, name]) => (
            <li key={path}>
              <Link href={hrefOf(path)} aria-current={path === page ? 'page' : undefined}>
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {!isLocked && (
        <>
          <ProjectChoice />
          <Link
            class="settings"
            href={hrefOf(settings)}
            aria-current={page === settings ? 'page' : undefined}
          >
            {settingsName}
          </Link>
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

/** Whether any run was recorded: there is nothing to see on the page of tasks before. */
function useHasRuns(): boolean {
  const { data } = useAnswer<RunsAnswer>('/v1/runs?limit=1', {
    concerns: () => !hasRuns.get(),
    every: 10_000,
  });
  const has = (data?.runs.length ?? 0) > 0;
  useEffect(() => hasRuns.set(has), [has]);
  return has;
}
const hasRuns = createStore(false);

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
