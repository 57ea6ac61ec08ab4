import { borrowedPages, routeOf, SECTIONS } from './borrowed-pages.ts';
import type { SiteMap } from './links.ts';

/** Which file of the repository each page of the site shows. */
export function siteMap(): SiteMap {
  const pages = borrowedPages().map((page) => [routeOf(page), page.source] as const);
  const overviews = Object.keys(SECTIONS).map(
    (section) => [`/reference/${section}/index`, 'docs/reference/section/index.md'] as const,
  );
  return {
    sources: new Map(
      [...pages, ...overviews].map(([route, source]) => [`${route.slice(1)}.md`, source]),
    ),
    routes: new Map([
      ...pages.map(([route, source]) => [source, route] as const),
      ['packages/cli/src/commands.ts', '/reference/project/commands'],
      ...Object.entries(SECTIONS).map(
        ([section, { folder }]) => [`${folder}/README.md`, `/reference/${section}/`] as const,
      ),
    ]),
  };
}
