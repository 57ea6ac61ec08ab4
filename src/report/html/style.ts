import { PALETTE } from './palette.ts';
import { LOOP_STYLE } from './style-loop.ts';
import { TIMELINE_STYLE } from './style-timeline.ts';

/** What differs on wide and narrow screens and on paper, where everything is open. It comes last, so that it holds. */
const MEDIA_STYLE = `
@media (min-width: 60rem) {
  article.run > header { grid-template-columns: 1fr auto; align-items: baseline; }
  article.run .about { grid-column: 1 / -1; }
  .evidence { grid-template-columns: minmax(0, 17rem) minmax(0, 1fr); }
  .evidence > :not(dl, .plans) { grid-column: 1 / -1; }
}
@media (max-width: 30rem) {
  .evidence { padding-left: 0; }
  .loop { padding-left: .75rem; }
  .tools label, .tools input, .tools select { width: 100%; }
}
@media print {
  :root { color-scheme: light; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  .tools, .skip, .readout, .link { display: none !important; }
  details::details-content { content-visibility: visible; block-size: auto; }
  article.run { content-visibility: visible; margin: 0; padding-inline: 0; }
  .side-by-side { overflow: visible; }
  .side-by-side thead th { white-space: normal; }
  .side-by-side tbody td, .side-by-side .gap { min-width: 0; }
  h2, h3, h4, h5, summary { break-after: avoid; }
  .strip, .chart, .plans li, tr { break-inside: avoid; }
}
`;

/** The look of the page. */
export const STYLE = `${PALETTE}*, ::before, ::after { box-sizing: border-box; }
html { font: 100%/1.55 var(--sans); background: var(--paper); color: var(--ink); -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body { overflow-wrap: anywhere; margin: 0 auto; max-width: 70rem; padding: 2rem clamp(1rem, 4vw, 3rem) 4rem; }
h1, h2, h3, h4 { line-height: 1.2; text-wrap: balance; }
h1 { font-size: clamp(2rem, 6vw, 3.25rem); letter-spacing: -.025em; font-weight: 680; margin: 1.5rem 0 1rem; }
h2 { font-size: 1.375rem; letter-spacing: -.01em; margin: 3.5rem 0 1rem; }
code, .file { font-family: var(--mono); font-size: .875em; }
a { color: inherit; text-decoration-color: var(--rule); text-underline-offset: .2em; }
a:hover { text-decoration-color: currentColor; }
:focus-visible { outline: 2px solid var(--loop); outline-offset: 3px; }
[hidden] { display: none !important; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--paper); padding: .5rem 1rem; }
.note { font-size: .875rem; color: var(--quiet); }

.made { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; margin: 0; font-size: .875rem; color: var(--quiet); }
.made svg { color: var(--loop); }
.made span:first-of-type { color: var(--ink); font-weight: 600; margin-left: -.5rem; }
.lead { font-size: 1.1875rem; max-width: 46rem; margin: 0; text-wrap: pretty; }
.whole { margin: 1.75rem 0 0; }
.whole .bar { height: 10px; }
.meaning { max-width: 46rem; margin: 1.25rem 0 0; }

.charts { columns: 2 24rem; column-gap: 4rem; margin-top: 3rem; }
.chart { break-inside: avoid; margin-bottom: 2rem; }
.labelled, .legend li { display: flex; gap: .4rem; align-items: start; line-height: 20px; }
.chart table { width: 100%; border-collapse: collapse; font-size: .9375rem; }
.chart caption { text-align: left; font-weight: 600; padding-bottom: .6rem; }
.chart th { font-weight: 400; text-align: left; width: 45%; padding: .22rem 1rem .22rem 0; line-height: 1.35; }
.chart td { padding: .22rem 0; }
.chart tbody td { display: grid; grid-template-columns: 1fr 4.6rem; gap: .75rem; align-items: center; }
.chart.steps tbody td { grid-template-columns: 1fr 7.2rem; }
.chart td span { white-space: nowrap; font-variant-numeric: tabular-nums; color: var(--quiet); font-size: .875rem; }
.bar { display: block; width: 100%; height: 8px; border-radius: 2px; forced-color-adjust: none; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.bar .track { fill: var(--sheet); }
.bar .fill { fill: var(--loop); }
.chart.steps .fill { fill: var(--new); }

.problems ul { padding-left: 1.1rem; }
.legend ul { list-style: none; padding: 0; margin: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: .4rem 1.5rem; font-size: .9375rem; }
.legend p { margin-top: 0; }

.tools { display: flex; flex-wrap: wrap; gap: .6rem 1.25rem; align-items: center; font-size: .9375rem; padding: .75rem 0; }
.tools input, .tools select, .tools button { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--nothing); border-radius: 6px; padding: .4rem .65rem; min-height: 2.5rem; max-width: 100%; }
.tools input { width: 15rem; }
.tools button, .copy { cursor: pointer; }
.copy { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--nothing); border-radius: 6px; padding: .25rem .6rem; }
#fold > summary { cursor: pointer; margin: 1.5rem 0; font-weight: 600; }
.tools p { margin: 0; color: var(--quiet); }
article.run { border-top: 1px solid var(--rule); padding: 2rem 6px 2.25rem; margin: 0 -6px; content-visibility: auto; contain-intrinsic-size: auto 30rem; scroll-margin-top: 0; }
article.run > header { display: grid; grid-template-columns: 1fr; gap: .15rem 2rem; }
article.run h3 { margin: 0; font-size: 1.1875rem; }
article.run h3 a { text-decoration-color: transparent; }
article.run h3 a:hover { text-decoration-color: currentColor; }
.verdict { margin: 0; color: var(--quiet); }
.verdict strong { color: var(--loop); }
.about { list-style: none; display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; margin: 0; padding: 0; font-size: .875rem; color: var(--quiet); }
.about li { min-width: 0; }
.list { list-style: none; padding: 0; margin: 0; }
.list > li { padding: .6rem 0; border-top: 1px solid var(--rule); }
.list strong { font-weight: 600; }
footer { margin-top: 4rem; padding-top: 1rem; border-top: 1px solid var(--rule); font-size: .875rem; color: var(--quiet); max-width: none; }
${TIMELINE_STYLE}${LOOP_STYLE}${MEDIA_STYLE}`;
