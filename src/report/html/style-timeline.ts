/** The look of timelines and of their signs. Each kind of step has a colour and a shape of its own, so that either is enough. */
export const TIMELINE_STYLE = `
.strip, .swatch { forced-color-adjust: none; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.strip { display: flex; flex-wrap: wrap; row-gap: .35rem; margin: 1.25rem 0 .25rem; touch-action: pan-y; border-radius: 4px; white-space: nowrap; overflow: clip; }
.strip i { position: relative; width: 12px; padding-top: 15px; }
.strip i[data-step]::after { content: attr(data-step); position: absolute; top: 0; left: 1px; font: normal 10px/13px var(--mono); color: var(--quiet); }
.strip i.spoken, .swatch.spoken { box-shadow: inset 2px 0 var(--ink); }
.strip i.here { background: linear-gradient(var(--tint) 0 0) 0 14px no-repeat; box-shadow: 0 2px 0 -1px var(--ink); }
.strip b { display: block; position: relative; height: 16px; }
.strip b[data-loop] { cursor: pointer; }

i::before { content: ''; display: block; width: 10px; height: 20px; margin: 0 1px 4px; }
i.new::before { height: 18px; margin: 1px 1px 5px; background: var(--new); border-radius: 2px; }
i.nothing::before { height: 9px; margin: 10px 1px 5px; border: 2px solid var(--nothing); border-radius: 2px; }
i.failed::before { height: 11px; margin: 5px 1px 8px; background: var(--failed);
  clip-path: polygon(22% 0, 50% 30%, 78% 0, 100% 20%, 68% 50%, 100% 80%, 78% 100%, 50% 70%, 22% 100%, 0 80%, 32% 50%, 0 20%); }
i.wait::before { height: 12px; margin: 4px 2px 8px; width: 8px; background: linear-gradient(90deg, var(--wait) 0 3px, transparent 3px 5px, var(--wait) 5px); }
i.message::before { height: 6px; width: 6px; margin: 8px 3px 10px; background: var(--message); border-radius: 50%; }
i.person::before { height: 12px; width: 12px; margin: 4px 0 8px; background: var(--ink); clip-path: polygon(50% 0, 100% 50%, 50% 100%, 0 50%); }
i.unknown::before { content: '?'; font: normal 700 13px/20px var(--mono); text-align: center; color: var(--quiet); }

b.bracket { --line: var(--loop); }
b.light { --line: var(--quiet); }
b.bracket::before { content: ''; position: absolute; inset: 0 0 auto; height: 5px; border: 0 solid var(--line); border-bottom-width: 2px; }
b.light::before { border-bottom-width: 1px; }
b.after::before, b.noticed:not(.light)::before { border-bottom-width: 4px; height: 6px; }
b.start::before { left: 1px; border-left-width: 2px; border-bottom-left-radius: 3px; }
b.end::before { right: 1px; border-right-width: 2px; border-bottom-right-radius: 3px; }
b.start::after { content: attr(data-loop); position: absolute; top: 6px; left: 1px; font: normal 600 10px/11px var(--mono); color: var(--line); }
b.noticed::after { content: ''; position: absolute; top: 7px; left: 1px; width: 10px; height: 8px; background: var(--line); clip-path: polygon(50% 0, 100% 100%, 0 100%); }

.swatch { flex: none; width: 20px; height: 20px; }
.swatch.sign::before { content: none; }
.swatch b { display: block; position: relative; width: 14px; height: 16px; top: 4px; }
.swatch b.noticed::after { left: 2px; }
.readout { min-height: 1.5em; margin: 0 0 1rem; font-size: .875rem; color: var(--quiet); }
.readout:empty { min-height: 0; }
`;
