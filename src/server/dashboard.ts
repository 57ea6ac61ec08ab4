import type { MiddlewareHandler } from 'hono';
import { type DashboardFile, dashboardFiles, dashboardFolder } from './dashboard-files.ts';
import { DASHBOARD_PAGES } from './dashboard-pages.ts';

/** Only the page's own files, and no script or style inside of texts: should one ever get out of its place, it can do nothing. */
const POLICY = [
  "default-src 'none'",
  ...['script-src', 'style-src', 'img-src', 'connect-src'].map((kind) => `${kind} 'self'`),
  ...['base-uri', 'form-action', 'frame-ancestors'].map((kind) => `${kind} 'none'`),
].join('; ');

const HEADERS = { 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

const NOT_BUILT = 'The dashboard has not been built: run npm run build in the checkout of Unrut, then load this page again.\n';

const PAGES: ReadonlySet<string> = new Set(DASHBOARD_PAGES);

/** Answers requests for the dashboard's pages and files, and leaves all others to what comes next. They hold no data, so they need no token. */
export function dashboard(folder: string = dashboardFolder()): MiddlewareHandler {
  let files = dashboardFiles(folder);
  return async (context, next) => {
    const { method, path } = context.req;
    if (method !== 'GET' && method !== 'HEAD') return next();
    const isPage = PAGES.has(path);
    if (isPage && files.size === 0) files = dashboardFiles(folder);
    const file = files.get(isPage ? '/index.html' : path);
    if (file) return answer(file, path.startsWith('/assets/'), context.req.header('if-none-match'));
    return isPage ? context.text(NOT_BUILT, 503, HEADERS) : next();
  };
}

/** The names of assets change with what is in them, so they can be kept for good. */
function answer({ body, type, tag }: DashboardFile, isAsset: boolean, known: string | undefined): Response {
  const headers = { ...HEADERS, etag: tag, 'cache-control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache' };
  if (known?.split(/,\s*/).some((each) => each.replace(/^W\//, '') === tag)) return new Response(null, { status: 304, headers });
  return new Response(body, { headers: { ...headers, 'content-type': type } });
}
