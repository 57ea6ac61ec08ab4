import { counted } from '../figures.ts';
import { MOST } from './bounds.ts';
import { type Html, html, type Piece } from './html.ts';
import type { RankedRun } from './ranking.ts';
import { about, runId, sortKeys, titleOf } from './run-section.ts';

/** Runs in short: one line each. */
export function runList(id: string, title: string, note: Piece, runs: readonly RankedRun[]): Piece {
  if (runs.length === 0) return null;
  const left = runs.length - MOST.listed;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${note && html`<p class="note">${note}</p>`}
<ul class="list">${runs.slice(0, MOST.listed).map(line)}</ul>
${left > 0 && html`<p class="note">${counted(left, 'further run')} ${left === 1 ? 'is' : 'are'} not listed.</p>`}</section>\n`;
}

function line(ranked: RankedRun): Html {
  const { place, run } = ranked;
  const loops = run.loops.length > 0 && html`<li>${counted(run.loops.length, 'loop')}, ${counted(run.wastedSteps, 'step')} wasted</li>`;
  return html`<li class="run" id="${runId(place)}"${sortKeys(ranked)}><strong>${titleOf(run)}</strong><ul class="about">${loops}${about(ranked).map((fact) => html`<li>${fact}</li>`)}</ul></li>\n`;
}
