import { type Html, type HtmlPiece, html } from './html.ts';

/** One bar of a chart: its part of the full width, and the figure that stands beside it. */
export interface Bar {
  label: HtmlPiece;
  /** 0 to 1. */
  part: number;
  figure: string;
}

/** Bars as a table, so that it reads well without being seen, and wraps on a phone. `heads` name its two columns. */
export function barChart(chart: { title: string; heads: [string, string]; bars: readonly Bar[]; note?: HtmlPiece; look?: string }): Html {
  const { title, heads, bars, note, look } = chart;
  return html`<div class="chart ${look}"><table><caption>${title}</caption>
<thead class="unseen"><tr><th scope="col">${heads[0]}</th><th scope="col">${heads[1]}</th></tr></thead>
<tbody>${bars.map(
    ({ label, part, figure }) => html`<tr><th scope="row">${label}</th><td>${bar(part)}<span>${figure}</span></td></tr>\n`,
  )}</tbody></table>${note && html`<p class="note">${note}</p>`}</div>\n`;
}

/** One bar. What it shows is said in words beside it. */
export function bar(part: number): Html {
  const width = Math.round(1000 * Math.min(1, Math.max(0, part)));
  return html`<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="1000" height="10"/><rect class="fill" width="${width}" height="10"/></svg>`;
}
