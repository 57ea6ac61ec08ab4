import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of the dashboard, as it is sent. */
export interface DashboardFile {
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

/** Where `npm run build` puts the dashboard: beside the bundled program, or in the `dist` of a checkout. */
export function dashboardFolder(): string {
  const beside = fileURLToPath(new URL('./dashboard', import.meta.url));
  return existsSync(join(beside, 'index.html')) ? beside : fileURLToPath(new URL('../../dist/dashboard', import.meta.url));
}

/** All files of a built dashboard by their paths in the address; none where it has not been built. */
export function dashboardFiles(folder: string): Map<string, DashboardFile> {
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
