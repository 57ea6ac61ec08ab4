import { createHash } from 'node:crypto';
import { counted } from '../figures.ts';
import type { Problem, ScanReport } from '../scan-report.ts';
import { clip, MAX, shortName } from './bounds.ts';
import { charts } from './charts.ts';
import { type Html, type HtmlPiece, html, verbatim } from './html.ts';
import { legend } from './legend.ts';
import { headline, lead } from './overview.ts';
import { type RankedRun, type RankingRow, ranking } from './ranking.ts';
import { about, runId, runSection, sortKeys, titleOf } from './run-section.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';
import { momentText } from './times.ts';

/** What a page says about itself. */
export interface PageOptions {
  /** Epoch milliseconds of the scan. */
  madeAt?: number;
  /** Default: `Unrut scan`. */
  title?: string;
}

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing is loaded, and only this style and this script are used: should a text ever get out of its place, it can do nothing. */
const POLICY = `default-src 'none'; style-src ${hash(STYLE)}; script-src ${hash(SCRIPT)}; base-uri 'none'; form-action 'none'`;

/** A whole scan as one page that needs nothing else: no network, and no script to be read. */
export function scanPage(report: ScanReport, options: PageOptions = {}): string {
  const { title = 'Unrut scan', madeAt } = options;
  const ranked = ranking(report.trajectories);
  const made = madeAt === undefined ? '' : momentText(madeAt);
  const { text } = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${verbatim(POLICY)}">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${headline(report)} – ${title}</title>
<style>${verbatim(STYLE)}</style>
</head>
<body>
${report.trajectories.length > 0 && html`<a class="skip" href="#runs">Skip to the runs</a>`}
<header class="top">
<p class="made">${LOGO}<span>${title}</span><span>${counted(report.totals.trajectories, 'run')} in ${counted(report.totals.files, 'file')}</span>${made && html`<span>${made}</span>`}</p>
<h1>${headline(report)}</h1>
${lead(report)}
</header>
<main>
${charts(report, ranked)}${problems(report.problems)}${ranked.inFull.length > 0 && legend()}${runs(ranked)}
</main>
<footer><p>${ABOUT}</p></footer>
<script>${verbatim(SCRIPT)}</script>
</body>
</html>
`;
  return text;
}

/** A rut, and the way out of it. */
const LOGO = html`<svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"><path d="M12 20a8 8 0 1 1 8-8c0 5-3 8-8 8h10" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round"/></svg>`;

const ABOUT = 'Made by Unrut. This page loads nothing and sends nothing. Recognized secrets are masked. Cached tokens are not counted.';

function runs({ inFull, further, withoutLoops }: RankingRow): HtmlPiece {
  const sorting = [
    ['wasted', 'most wasted steps'],
    ['share', 'largest wasted share'],
    ['loops', 'most loops'],
    ['steps', 'longest'],
    ['from', 'newest'],
    ['place', 'order of the files'],
  ];
  if (inFull.length + withoutLoops.length === 0) return null;
  const sections = inFull.map(runSection);
  return html`<section aria-labelledby="runs"><h2 id="runs" tabindex="-1">Runs with loops</h2>
<div class="tools" hidden><label>Find <input type="search" id="find" autocomplete="off" spellcheck="false"></label>
<label>Sort by <select id="sort">${sorting.map(([value, words]) => html`<option value="${value}">${words}</option>`)}</select></label>
<button type="button" id="open">Open all loops</button> <p id="found" role="status"></p></div>
${inFull.length > 0 ? html`<div id="sorted">${sections.slice(0, MAX.unfolded)}</div>` : html`<p>None.</p>`}
${sections.length > MAX.unfolded && html`<details id="fold"><summary>${counted(sections.length - MAX.unfolded, 'more run')} with loops</summary><div id="rest">${sections.slice(MAX.unfolded)}</div></details>`}</section>
${runList('further', 'More runs with loops', `Only the ${counted(inFull.length, 'worst run')} above are shown in full. --json has all of them.`, further)}
${runList('calm', 'Runs without loops', null, withoutLoops)}`;
}

function problems(all: readonly Problem[]): HtmlPiece {
  if (all.length === 0) return null;
  const left = all.length - MAX.problems;
  const line = ({ file, message }: Problem): Html =>
    html`<li><span class="file">${shortName(file)}</span> ${clip(message, MAX.text)}</li>\n`;
  return html`<section class="problems" aria-labelledby="problems"><h2 id="problems">What could not be read</h2>
<ul>${all.slice(0, MAX.problems).map(line)}</ul>
${left > 0 && html`<p class="note">and ${counted(left, 'more problem')}</p>`}</section>\n`;
}

/** Runs in short: one line each. */
function runList(id: string, title: string, note: HtmlPiece, runs: readonly RankedRun[]): HtmlPiece {
  if (runs.length === 0) return null;
  const left = runs.length - MAX.listed;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${note && html`<p class="note">${note}</p>`}
<ul class="list">${runs.slice(0, MAX.listed).map(line)}</ul>
${left > 0 && html`<p class="note">${counted(left, 'more run')} not listed.</p>`}</section>\n`;
}

function line(ranked: RankedRun): Html {
  const { place, run } = ranked;
  const loops = run.loops.length > 0 && html`<li>${counted(run.loops.length, 'loop')}, ${counted(run.wastedSteps, 'step')} wasted</li>`;
  return html`<li class="run" id="${runId(place)}"${sortKeys(ranked)}><strong>${titleOf(run)}</strong><ul class="about">${loops}${about(ranked).map((fact) => html`<li>${fact}</li>`)}</ul></li>\n`;
}
