import { DASHBOARD_PAGES, type DashboardPage } from '@unrut/server/dashboard-pages';
import type { ComponentChildren, JSX } from 'preact';
import { createStore, type Store } from './store.ts';

/** The current place: everything in a shared link. */
export interface Place {
  page: DashboardPage | null;
  query: URLSearchParams;
}

type Query = Record<string, string | number | undefined>;

const here = (): Place => ({
  page: DASHBOARD_PAGES.find((page) => page === location.pathname) ?? null,
  query: new URLSearchParams(location.search),
});

export const place: Store<Place> = createStore(here());
addEventListener('popstate', () => place.set(here()));

/**
 * The address of a page, in the current project unless the query names another. Empty values are
 * omitted.
 */
export function hrefOf(page: DashboardPage, query: Query = {}): string {
  const project = place.get().query.get('project') ?? undefined;
  const given = Object.entries({ project, ...query }).filter(
    ([, value]) => value !== undefined && value !== '',
  );
  const search = new URLSearchParams(
    given.map(([name, value]) => [name, String(value)]),
  ).toString();
  return search === '' ? page : `${page}?${search}`;
}

/** The address of this page with some of its query changed. */
export function hrefHere(changes: Query): string {
  const { page, query } = place.get();
  return hrefOf(page ?? '/', { ...Object.fromEntries(query), ...changes });
}

/** Goes there without loading anything again. */
export function go(href: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', href);
  else history.replaceState(null, '', href);
  place.set(here());
}

/** Changes what the address asks of this page. */
export const choose = (changes: Query): void => go(hrefHere(changes), 'replace');

interface LinkProps extends Omit<JSX.IntrinsicElements['a'], 'href' | 'onClick' | 'role'> {
  href: string;
  children: ComponentChildren;
}

/**
 * A link within the dashboard. With a key held down, or in another tab, it is a link like any
 * other.
 */
export function Link({ href, children, ...rest }: LinkProps): JSX.Element {
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return;
    event.preventDefault();
    go(href);
  };
  return (
    <a {...rest} href={href} onClick={follow}>
      {children}
    </a>
  );
}
