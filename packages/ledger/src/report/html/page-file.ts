import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UnrutError } from '@unrut/engine/errors';

/** What a page in a file shows. */
export interface PageContent {
  title: string;
  /** Which of the pages it is: `dashboard/src/report/main.tsx` has them. */
  kind: 'scan' | 'replay';
  /** Plain JSON, without secrets. */
  data: object;
  /** What is shown where scripts do not run. */
  text: string;
}

/** What the built page has in the place of its title and of its data. */
const PLACES = { title: '<title>Unrut</title>', data: '<!--data-->' };

/** One file that needs nothing else: the dashboard's components, and what they show. */
export function pageFile({ title, kind, data, text }: PageContent): string {
  const json = JSON.stringify({ kind, ...data }, (_, value) =>
    typeof value === 'string' ? visibleText(value) : value,
  );
  // Whatever a text says, it ends no element.
  const inlined = `<script type="application/json" id="data">${json.replaceAll('<', '\\u003c')}</script>`;
  const plain = `<noscript><pre>${escapeText(text)}</pre></noscript>`;
  const [before, between, after] = emptyPage();
  return `${before}<title>${escapeText(title)}</title>${between}${inlined}\n${plain}${after}`;
}

let parts: [before: string, between: string, after: string] | undefined;

/**
 * The page without title and data. In the package it lies next to the programs; in a checkout it is
 * built when it is first needed.
 */
function emptyPage(): [string, string, string] {
  if (parts) return parts;
  const built = ['./report.html', '../report.html']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find(existsSync);
  const page = built === undefined ? buildPage() : readFileSync(built, 'utf8');
  const [title, data] = [page.indexOf(PLACES.title), page.indexOf(PLACES.data)];
  parts = [
    page.slice(0, title),
    page.slice(title + PLACES.title.length, data),
    page.slice(data + PLACES.data.length),
  ];
  return parts;
}

function buildPage(): string {
  const script = fileURLToPath(new URL('../../../../../scripts/report-page.ts', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (status === 0) return stdout;
  throw new UnrutError(
    'report-page',
    `Cannot build the report page: ${stderr.trim().split('\n', 1)[0]}. Run npm install in the checkout.`,
  );
}
const NAMED: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Controls, and the marks that turn the direction of text around and so can make it read as
 * something else.
 */
const UNSEEN = /[\0-\x08\x0b-\x1f\x7f-\x9f]|[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;

/** Any text as a page shows it: controls are shown as their pictures. */
const visibleText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(UNSEEN, (found) => pictureOf(found.charCodeAt(0)));

const pictureOf = (code: number): string =>
  String.fromCharCode(code < 0x20 ? 0x2400 + code : 0xfffd);

/** Any text as text of a page, in an element or in a quoted attribute. */
export const escapeText = (text: string): string =>
  visibleText(text).replace(/[&<>"']/g, (found) => NAMED[found]!);
