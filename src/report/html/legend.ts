import { type Html, html } from './html.ts';
import { kinds } from './kinds.ts';

/** The look of one kind of step, beside words that name it. */
export const swatch = (name: string): Html => html`<i class="swatch ${name}" aria-hidden="true"></i>`;

/** What the signs of the timelines mean. */
export function legend(): Html {
  return html`<section class="legend" aria-labelledby="legend"><h2 id="legend">How to read the timelines</h2>
<p>Each cell is one step of the run, in order. A bracket below marks a loop.</p>
<ul>${kinds.filter(({ name }) => name !== 'person').map(({ name, meaning }) => html`<li>${swatch(name)}<span>${meaning}</span></li>\n`)}
<li>${swatch('spoken')}<span>the user spoke before this step</span></li>
<li>${sign('start')}<span>where a loop starts</span></li>
<li>${sign('noticed')}<span>where Unrut detects it</span></li>
<li>${sign('after')}<span>steps after that</span></li>
<li>${sign('after end')}<span>where it ends</span></li>
<li>${sign('light start end')}<span>advice only, not a loop</span></li></ul></section>\n`;
}

const sign = (parts: string): Html => html`<i class="swatch sign" aria-hidden="true"><b class="bracket ${parts}"></b></i>`;
