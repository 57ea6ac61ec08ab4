import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from '../build.ts';

/** Where files are shown that are no pages of the site. */
const REPOSITORY = 'https://github.com/unrut-dev/unrut';

/** Where a page's text stands in the repository, and where each file that is a page is shown. */
export interface SiteMap {
  /** Source by page of the site: `reference/detectors/cycle.md`. */
  sources: ReadonlyMap<string, string>;
  /** Route by source. */
  routes: ReadonlyMap<string, string>;
}

/**
 * A link as the site needs it: files that are pages become their pages, other files of the
 * repository are shown there, and everything else stays as it is.
 */
export function siteLink(href: string, page: string, map: SiteMap): string {
  if (/^(?:[a-z]+:|#|\/)/i.test(href)) return href;
  const [path = '', hash] = href.split('#', 2);
  const source = map.sources.get(page) ?? `docs/${page}`;
  const target = posix.normalize(posix.join(posix.dirname(source), decodeURI(path)));
  const anchor = hash === undefined ? '' : `#${hash}`;
  const route =
    map.routes.get(target) ?? map.routes.get(posix.join(target, 'README.md')) ?? docsRoute(target);
  if (route !== undefined) return `${route}${anchor}`;
  if (!existsSync(join(root, target))) return href;
  const kind = statSync(join(root, target)).isDirectory() ? 'tree' : 'blob';
  return `${REPOSITORY}/${kind}/main/${target.replace(/\/$/, '')}${anchor}`;
}

const docsRoute = (target: string): string | undefined =>
  target.startsWith('docs/') && target.endsWith('.md') && existsSync(join(root, target))
    ? `/${target.slice('docs/'.length, -'.md'.length)}`
    : undefined;
