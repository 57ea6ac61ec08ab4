import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { builtFolder } from '@unrut/ledger/processes/built-folder';
import type { MiddlewareHandler } from 'hono';
import { DASHBOARD_PAGES } from './dashboard-pages.ts';

/**
 * Content Security Policy: only the page's own files, and no inline scripts or styles, so that
 * injected text cannot execute.
 */
const POLICY = [
  "default-src 'none'",
  ...['script-src', 'style-src', 'img-src', 'connect-src'].map((kind) => `${kind} 'self'`),
  ...['base-uri', 'form-action', 'frame-ancestors'].map((kind) => `${kind} 'none'`),
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

const NOT_BUILT =
  'The dashboard has not been built. Run npm run build in the Unrut checkout, then reload this page.\n';

const PAGES: ReadonlySet<string> = new Set(DASHBOARD_PAGES);

/**
 * Serves the dashboard's pages and files; other requests go to the next handler. The files hold no
 * data, so they need no token.
 */
export function dashboard(folder: string = join(builtFolder(), 'dashboard')): MiddlewareHandler {
  let files = dashboardFiles(folder);
  return async (context, next) => {
    const { method, path } = context.req;
    if (method !== 'GET' && method !== 'HEAD') return next();
    const isPage = PAGES.has(path);
    if (isPage && files.size === 0) files = dashboardFiles(folder);
    const file = files.get(isPage ? '/index.html' : path);
    if (file) return answer(file, path.startsWith('/assets/'), context.req.header('if-none-match'));
    if (isPage) return context.text(NOT_BUILT, 503, HEADERS);
    await next();
    const lost =
      context.res.status === 404 &&
      isReader(context.req.header('accept')) &&
      files.get('/index.html');
    if (lost)
      context.res = new Response(lost.body, {
        status: 404,
        headers: { ...HEADERS, 'content-type': lost.type },
      });
    return undefined;
  };
}

/** Whether a browser opened the address, as opposed to an API client. */
const isReader = (accept = ''): boolean => accept.includes('text/html');

/** Asset names contain a hash of their content, so they can be cached forever. */
function answer(
  { body, type, tag }: DashboardFile,
  isAsset: boolean,
  known: string | undefined,
): Response {
  const headers = {
    ...HEADERS,
    etag: tag,
    'cache-control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
  if (known?.split(/,\s*/).some((each) => each.replace(/^W\//, '') === tag))
    return new Response(null, { status: 304, headers });
  return new Response(body, { headers: { ...headers, 'content-type': type } });
}

/** A file of the dashboard with its headers. */
interface DashboardFile {
  body: Uint8Array<ArrayBuffer>;
  type: string;
  tag: string;
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** All files of the built dashboard by URL path; empty if it was not built. */
function dashboardFiles(folder: string): Map<string, DashboardFile> {
  const files = new Map<string, DashboardFile>();
  if (!existsSync(join(folder, 'index.html'))) return files;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const body = new Uint8Array(readFileSync(join(folder, name)));
    const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`;
    files.set(`/${name.replaceAll(sep, '/')}`, { body, type, tag });
  }
  return files;
}
