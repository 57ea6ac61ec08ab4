/** The look of a replay, in light and dark, on a phone and on a wide screen. */
export const REPLAY_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d5d9e0, #3a404a); --soft: light-dark(#5b6470, #a3acb8); --card: light-dark(#fff, #1b1f26);
  --forced: light-dark(#8a4b00, #ffb454); --loop: light-dark(#b3261e, #ff8a80) }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 1100px; padding: 24px 16px 64px; font: 15px/1.5 system-ui, sans-serif; background: light-dark(#f6f7f9, #12151a) }
h1 { font-size: 22px; margin: 0 0 8px; overflow-wrap: anywhere } header p { margin: 4px 0; overflow-wrap: anywhere }
.end { padding: 2px 8px; border-radius: 6px; border: 1px solid currentColor } .end.done, .end.env_done { color: light-dark(#1b6e3c, #7ddba3) }
.end.loop, .end.max_steps, .end.page_lost, .end.never_settled, .end.done_failed { color: var(--loop) }
ol { list-style: none; margin: 24px 0 0; padding: 0; display: grid; gap: 16px }
li { background: var(--card); border: 1px solid var(--line); border-left: 6px solid var(--line); border-radius: 8px; padding: 12px 16px;
  display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 8px 20px }
li.forced { border-left-color: var(--forced) } li.looping { border-left-color: var(--loop) }
h2 { grid-column: 1 / -1; font-size: 16px; margin: 0; overflow-wrap: anywhere } h2 a { color: inherit }
figure { position: relative; margin: 0; align-self: start; border: 1px solid var(--line) } img { display: block; width: 100%; height: auto }
figure i { position: absolute; width: 26px; height: 26px; margin: -13px 0 0 -13px; border-radius: 50%; border: 3px solid #d81b60; background: #d81b6033; box-shadow: 0 0 0 2px #fff }
figure i.acted { border-color: #00796b; background: #00796b33; border-radius: 4px }
dl { margin: 0; display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 12px; align-content: start }
dt { color: var(--soft) } dd { margin: 0; overflow-wrap: anywhere }
@media (max-width: 720px) { li { grid-template-columns: minmax(0, 1fr) } }
`;
