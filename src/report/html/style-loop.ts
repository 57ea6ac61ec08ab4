/** The look of loops: their evidence, what would have been done, and the repeats side by side. */
export const LOOP_STYLE = `
.loop { border-left: 3px solid var(--loop); padding-left: 1rem; margin: .9rem 0; }
.loop.light { border-left: 3px dotted var(--quiet); }
.loop summary { display: grid; grid-template-columns: 1.1rem 1fr auto; gap: .1rem .4rem; align-items: baseline; cursor: pointer; list-style: none; border-radius: 4px; padding: .25rem 0; }
.loop summary::-webkit-details-marker { display: none; }
.loop summary::before { content: ''; width: .55rem; height: .55rem; border: solid var(--quiet); border-width: 0 2px 2px 0; transform: rotate(-45deg) translateY(-.1rem); }
.loop[open] > summary::before { transform: rotate(45deg) translateX(-.1rem); }
.loop summary:hover h4 { text-decoration: underline; text-underline-offset: .2em; }
.loop h4 { margin: 0; font-size: 1rem; display: flex; flex-wrap: wrap; column-gap: .6rem; align-items: baseline; }
.loop .seen-by { font: 400 .875rem var(--mono); color: var(--quiet); }
.loop .why { grid-column: 2 / -1; color: var(--ink); }
.loop .cost { color: var(--loop); font-size: .875rem; font-weight: 600; white-space: nowrap; }
.loop.light .cost { color: var(--quiet); font-weight: 400; }
.evidence { padding: 1rem 0 .5rem 1.5rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem 2.5rem; scroll-margin-top: 7rem; }
.evidence > * { margin: 0; min-width: 0; }
.evidence dl { font-size: .9375rem; }
.evidence dl div { margin-bottom: .55rem; }
.evidence dt { font-size: .8125rem; color: var(--quiet); }
.evidence dd { margin: 0; }
.evidence h5 { font-size: .8125rem; font-weight: 400; color: var(--quiet); margin: 0 0 .5rem; }
.evidence > h5 { margin: .5rem 0 -.75rem; }
.plans ol { list-style: none; margin: 0; padding: 0; }
.plans li { position: relative; padding: 0 0 .9rem 1.25rem; border-left: 1px solid var(--rule); margin-left: .25rem; }
.plans li:last-child { padding-bottom: 0; border-color: transparent; }
.plans li::before { content: ''; position: absolute; left: -5px; top: .5em; width: 9px; height: 9px; border-radius: 50%; background: var(--loop); }
.plans p { margin: 0; }
.plans strong { text-transform: uppercase; letter-spacing: .04em; font-size: .8125rem; }
.plans li > p:first-child code { color: var(--quiet); font-size: .8125rem; margin-left: .25rem; }
.plans blockquote { margin: .3rem 0; padding: .5rem .8rem; background: var(--sheet); border-radius: 6px; font-size: .9375rem; }
.plans .to-human { font-size: .875rem; color: var(--quiet); }
.side-by-side { overflow-x: auto; border: 1px solid var(--rule); border-radius: 6px; }
.side-by-side table { border-collapse: separate; border-spacing: 0; font-size: .8125rem; width: 100%; }
.side-by-side th, .side-by-side td { text-align: left; vertical-align: top; padding: .5rem .7rem; }
.side-by-side tbody tr > * { border-top: 1px solid var(--rule); }
.side-by-side thead th { font-weight: 600; white-space: nowrap; }
.side-by-side thead th span { display: block; font-weight: 400; color: var(--quiet); min-height: 1.5em; }
.side-by-side tbody th, .side-by-side thead td { position: sticky; left: 0; background: var(--paper); font-weight: 400; color: var(--quiet); white-space: nowrap; }
.side-by-side tbody td { min-width: 11rem; max-width: 24rem; font-family: var(--mono); line-height: 1.45; white-space: pre-wrap; border-left: 1px solid var(--rule); }
.side-by-side thead th { border-left: 1px solid var(--rule); }
.side-by-side .gap { min-width: 4rem; background: var(--sheet); color: var(--quiet); font-weight: 400; white-space: normal; }
.side-by-side .brought td { font-family: inherit; }
.same { font-family: var(--sans); color: var(--quiet); }
.same::before { content: '= '; }
mark { background: var(--tint); color: inherit; border-radius: 2px; text-decoration: underline; text-decoration-color: var(--loop); text-decoration-thickness: 2px; text-underline-offset: 2px; }
del { color: var(--quiet); }
.link { font-size: .8125rem; }
`;
