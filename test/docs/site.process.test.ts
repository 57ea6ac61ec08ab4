import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../../scripts/build.ts';
import { borrowedPages, routeOf } from '../../scripts/site/borrowed-pages.ts';

const site = mkdtempSync(join(tmpdir(), 'unrut-site-'));
const VITEPRESS = join(root, 'node_modules/vitepress/bin/vitepress.js');
/** HTML by page of the site: `start/ci.html`. */
const pages = new Map<string, string>();

beforeAll(async () => {
  // A dead link between pages ends the build.
  await promisify(execFile)(process.execPath, [VITEPRESS, 'build', 'docs', '--outDir', site], {
    cwd: root,
  });
  for (const file of readdirSync(site, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.html')) pages.set(file, readFileSync(join(site, file), 'utf8'));
});
afterAll(() => rmSync(site, { recursive: true, force: true }));

const attributes = (html: string, name: 'href' | 'id' | 'src'): string[] =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value]) =>
    value!.replaceAll('&amp;', '&'),
  );

const idsIn = (page: string): string[] => attributes(pages.get(page) ?? '', 'id');

/** The problem of a page's link; undefined if it works. */
function deadLink(page: string, link: string): string | undefined {
  if (/^(?:[a-z]+:|\/\/)/i.test(link)) return undefined;
  const [path = '', hash = ''] = link.split('#', 2);
  const target = path === '' ? page : normalize(join(dirname(page), decodeURI(path)));
  const file = target.endsWith('/') || target === '.' ? join(target, 'index.html') : target;
  if (!existsSync(join(site, file))) return `${page} links to ${link}, which is no file`;
  const missing = hash !== '' && file.endsWith('.html') && !idsIn(file).includes(decodeURI(hash));
  return missing ? `${page} links to ${link}, and ${file} has no such heading` : undefined;
}

test('the site has a page for every document, README of the reference and decision', () => {
  const documents = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /^[^.[]+\.md$/.test(file))
    .map((file) => file.replace(/\.md$/, '.html'));
  const borrowed = borrowedPages().map((page) => `${routeOf(page).slice(1)}.html`);
  expect([...documents, ...borrowed].filter((page) => !pages.has(page))).toEqual([]);
  expect(documents.length).toBeGreaterThan(30);
});

test('no link of the site is dead, and no heading that a link names is missing', () => {
  const dead = [...pages].flatMap(([page, html]) =>
    page === '404.html'
      ? []
      : [...new Set(attributes(html, 'href'))].flatMap((link) => deadLink(page, link) ?? []),
  );
  expect(dead).toEqual([]);
});

test('the search knows pages of the reference, which have no file of their own', () => {
  const index = readdirSync(join(site, 'assets/chunks')).find((file) =>
    file.includes('localSearchIndex'),
  );
  const text = readFileSync(join(site, 'assets/chunks', index!), 'utf8');
  expect(text).toContain('/reference/detectors/cycle.html');
  expect(text).toContain('/reference/project/commands.html');
});

test('no page loads anything from another server', () => {
  const foreign = /^(?:https?:)?\/\//;
  for (const [page, html] of pages) {
    expect(
      attributes(html, 'src').filter((src) => foreign.test(src)),
      page,
    ).toEqual([]);
    const loads = [...html.matchAll(/<link [^>]*href="([^"]+)"/g)].map(([, href]) => href!);
    expect(
      loads.filter((href) => foreign.test(href)),
      page,
    ).toEqual([]);
  }
  const styles = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.css'),
  );
  expect(styles).not.toEqual([]);
  for (const file of styles)
    expect(readFileSync(join(site, file), 'utf8'), relative(site, file)).not.toMatch(
      /(?:url\(|@import )["']?(?:https?:)?\/\//,
    );
});
