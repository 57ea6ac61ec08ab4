import type { DashboardPage } from '@unrut/server/dashboard-pages';
import type { ComponentChildren, FunctionComponent, JSX } from 'preact';
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks';
import { isTokenWanted } from './api/token.ts';
import { CostPage } from './pages/cost-page.tsx';
import { DetectorsPage } from './pages/detectors-page.tsx';
import { LostPage } from './pages/lost-page.tsx';
import { NowPage } from './pages/now-page.tsx';
import { OrganisationPage } from './pages/organisation-page.tsx';
import { RecoveriesPage } from './pages/recoveries-page.tsx';
import { SessionPage } from './pages/session-page.tsx';
import { TasksPage } from './pages/tasks-page.tsx';
import { Announcer } from './parts/announcer.tsx';
import { LostServer } from './parts/lost-server.tsx';
import { Palette } from './parts/palette.tsx';
import { SiteFooter, SiteHeader } from './parts/site-header.tsx';
import { TokenPrompt } from './parts/token-prompt.tsx';
import { place } from './router.tsx';
import { useStore } from './store.ts';

/** Each gets the query of its address. */
const PAGES: Record<DashboardPage, FunctionComponent<{ query: URLSearchParams }>> = {
  '/': NowPage,
  '/session': SessionPage,
  '/recoveries': RecoveriesPage,
  '/cost': CostPage,
  '/tasks': TasksPage,
  '/detectors': DetectorsPage,
  '/organisation': OrganisationPage,
};

/** The whole dashboard: the header and the page of the address. */
export function App(): JSX.Element {
  const { page, query } = useStore(place);
  const isLocked = useStore(isTokenWanted);
  const main = useRef<HTMLElement>(null);
  const name = `${page} ${query.get('id') ?? ''}`;
  const shown = useRef(name);
  useEffect(() => {
    if (shown.current === name) return;
    shown.current = name;
    scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [name]);
  const Page = page === null ? LostPage : PAGES[page];
  return (
    <>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <SiteHeader page={page} />
      <LostServer />
      <main id="main" tabIndex={-1} ref={main}>
        {isLocked ? (
          <TokenPrompt />
        ) : (
          <KeptPage key={name}>
            <Page query={query} />
          </KeptPage>
        )}
      </main>
      <SiteFooter />
      <Palette />
      <Announcer />
    </>
  );
}

/** A page or, where something in it cannot be shown, a line that says so: the other pages stay. */
function KeptPage({ children }: { children: ComponentChildren }): JSX.Element {
  const [error] = useErrorBoundary((error) => console.error(error)) as [
    Error | undefined,
    () => void,
  ];
  if (error === undefined) return <>{children}</>;
  return (
    <p class="problem" role="alert">
      This page could not be shown ({error.message}). Load it again; if that does not help, it is a
      fault of Unrut.
    </p>
  );
}
