/** What differs on wide and narrow screens and on paper, where everything is open. It comes last, so that it holds. */
export const MEDIA_STYLE = `
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
