import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UnrutError } from '@unrut/engine/errors';

/** The content of a stand-alone page. */
export interface PageContent {
  title: string;
  /** The page type; `dashboard/src/report/main.tsx` defines them. */
  kind: 'scan' | 'replay';
  /** Plain JSON, without secrets. */
  data: object;
  /** The text for browsers without scripts. */
  text: string;
}

/** Placeholders of the built page for its title and data. */
const PLACES = { title: '<title>Unrut</title>', data: '<!--data-->' };

/** A self-contained HTML file: the dashboard's components and their data. */
export function pageFile({ title, kind, data, text }: PageContent): string {
  const json = JSON.stringify({ kind, ...data }, (_, value) =>
    typeof value === 'string' ? visibleText(value) : value,
  );
  // Escapes the text so that it cannot close the element.
  const inlined = `<script type="application/json" id="data">${json.replaceAll('<', '\\u003c')}</script>`;
  const plain = `<noscript><pre>${escapeText(text)}</pre></noscript>`;
  const [before, between, after] = emptyPage();
  return `${before}<title>${escapeText(title)}</title>${between}${inlined}\n${plain}${after}`;
}

let parts: [before: string, between: string, after: string] | undefined;

/**
 * The page without title and data: next to the programs in the package; in a checkout it is built
 * on first use.
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

/** Control characters, and marks that reverse the direction of text and could disguise it. */
const UNSEEN = /[\0-\x08\x0b-\x1f\x7f-\x9f]|[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;

/** Replaces control characters with visible symbols. */
const visibleText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(UNSEEN, (found) => pictureOf(found.charCodeAt(0)));

const pictureOf = (code: number): string =>
  String.fromCharCode(code < 0x20 ? 0x2400 + code : 0xfffd);

/** Escapes text for an element or a quoted attribute. */
export const escapeText = (text: string): string =>
  visibleText(text).replace(/[&<>"']/g, (found) => NAMED[found]!);
