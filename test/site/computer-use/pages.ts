import { document, type Pages } from '../site.ts';

const FORM = `<style>
label, input, textarea, button { display: block; margin: 0 0 12px; font: 16px sans-serif }
input, textarea { width: 320px; padding: 8px } button { padding: 10px 24px }
</style>`;

/** What a form is sent to, and what the runs look for. */
const saved = document('Saved', '<h1>Thank you</h1><p>Your entries were saved.</p>');

/** A button that does nothing; Return anywhere in the form sends it off. */
const deadButton = (name: string): string => `${FORM}<h1>Almost there</h1>
<form action="/saved"><label for="note">Note</label><input id="note" value="All is filled in">
<button type="button" id="save">${name}</button></form>
<script>document.forms[0].addEventListener('keydown', (event) => { if (event.key === 'Enter') { event.preventDefault(); location.href = '/saved'; } });</script>`;

const rows = (from: number, count: number): string =>
  Array.from(
    { length: count },
    (_, i) => `<p>Entry ${from + i}: a line about thing number ${(from + i) * 7}</p>`,
  ).join('');

/** Each page is for one kind of loop, or for work that only looks like one. */
export const computerUsePages: Pages = {
  '/saved': saved,
  '/odd-label': document(
    'A form whose label says nothing',
    `${FORM}<form action="/saved"><label for="x1">Field 1</label><input id="x1"><button id="save">Save</button></form>`,
  ),
  '/odd-labels': document(
    'Several such fields',
    `${FORM}<form action="/saved"><label for="x1">Feld 1</label><input id="x1"><label for="x2">Feld 2</label><input id="x2">
<label for="x3">Feld 3</label><input id="x3"><button id="save">Save</button></form>`,
  ),
  '/login': document(
    'Sign in',
    `${FORM}<h1>Welcome</h1><form action="/saved" onsubmit="return false"><label for="user">User name</label><input id="user" name="user">
<label for="password">Password</label><input id="password" name="password" type="password"><button type="button" id="go" onmousedown="event.preventDefault()">Sign in</button></form>
<script>document.forms[0].addEventListener('keydown', (event) => { if (event.key === 'Enter') location.href = '/saved'; });</script>`,
  ),
  '/contact': document(
    'Contact',
    `${FORM}<form action="/saved"><label for="name">Your name</label><input id="name" name="full_name"><label for="mail">E-mail address</label>
<input id="mail" type="email"><label for="tel">Telephone</label><input id="tel" type="tel"><label for="message">Message</label><textarea id="message"></textarea>
<button id="save">Save contact</button></form>`,
  ),
  '/two-fields': document(
    'A field that is filled already',
    `${FORM}<form action="/saved"><label for="first">Town</label><input id="first" value="Bremen"><label for="second">Street</label><input id="second">
<button id="save">Save</button></form>`,
  ),
  '/dead-button': document('A button that does nothing', deadButton('Save')),
  '/pay': document('A payment', deadButton('Pay now')),
  '/clock': document(
    'A clock over a frozen form',
    `<div id="clock" style="font: 20px monospace; height: 32px"></div>${deadButton('Save')}
<script>setInterval(() => { document.querySelector('#clock').textContent = new Date().toISOString().slice(20, 22); }, 90);</script>`,
  ),
  '/spinner': document(
    'A spinner that starts with the click and never ends',
    `${FORM}<button id="start">Start</button><div id="spinner" style="height: 32px; font: 24px monospace"></div>
<script>let at = 0; document.querySelector('#start').onclick = (event) => { event.target.onclick = null;
setInterval(() => { document.querySelector('#spinner').textContent = '|/-+*o'[at++ % 6] + at; }, 110); };</script>`,
  ),
  '/drifting': document(
    'A field that shifts when it is clicked',
    `${FORM}<form action="/saved"><label for="x1">Field 1</label><input id="x1" style="position: relative; left: 0"><button id="save">Save</button></form>
<script>const field = document.querySelector('#x1'); field.onmousedown = () => { field.style.left = field.style.left === '4px' ? '0' : '4px'; };</script>`,
  ),
  '/load-more': document(
    'A list that grows',
    `<style>p { margin: 0 }</style><div id="list">${rows(1, 5)}</div><button id="more" style="position: fixed; left: 600px; top: 40px">Continue the list</button>
<script>let at = 5; document.querySelector('#more').onclick = () => { const line = document.createElement('p');
line.textContent = 'Entry ' + (++at) + ': one more line'; document.querySelector('#list').append(line); };</script>`,
  ),
  '/pages': (request) => {
    const at = Number(new URL(request.url ?? '/', 'http://site').searchParams.get('at') ?? 1);
    return document(
      `Page ${at}`,
      `<h1>Page ${at}</h1>${rows(at * 10, 4)}<a id="next" style="position: fixed; left: 600px; top: 40px" href="/pages?at=${at + 1}">Next</a>`,
    );
  },
  // It moves more often than anybody looks, and for longer than all looks take.
  '/slow': document(
    'Slow but moving',
    `<button id="start">Submit</button><p id="state">Ready</p><div id="bar"></div>
<script>let at = 0; document.querySelector('#start').onclick = (event) => { event.target.onclick = null; const timer = setInterval(() => {
at++; document.querySelector('#bar').insertAdjacentHTML('beforeend', '<i style="display: inline-block; width: 20px; height: 20px; margin: 2px; background: navy"></i>'); document.querySelector('#state').textContent = 'Step ' + at + ' of 400'; if (at >= 400) clearInterval(timer); }, 60); };</script>`,
  ),
  '/click-game': document(
    'A game',
    `<h1>Clicker</h1><button id="dot" style="width: 120px; height: 120px">Continue</button><p>Score: <b id="score">0</b></p>
<script>let score = 0; document.querySelector('#dot').onclick = () => { document.querySelector('#score').textContent = ++score; };</script>`,
  ),
  '/long-article': document(
    'A long page',
    `<header style="position: fixed; inset: 0 0 auto 0; height: 48px; background: #eee"><span id="logo">The Daily Page</span></header>
<main style="padding-top: 60px">${rows(1, 80)}</main>`,
  ),
  '/dialog': document(
    'A dialog',
    `<button id="ask">Ask</button><p id="answer">Not asked</p>
<script>document.querySelector('#ask').onclick = () => { document.querySelector('#answer').textContent = confirm('Delete everything?') ? 'Deleted' : 'Kept'; };</script>`,
  ),
  '/new-tab': document(
    'A new tab',
    '<a id="open" href="/saved" target="_blank">Open the other page</a>',
  ),
  '/leave': document('Leads nowhere', '<a id="open" href="http://127.0.0.1:9/">Leave</a>'),
  '/restless': document(
    'Never holds still',
    `<canvas id="noise" width="1200" height="700"></canvas><script>const context = document.querySelector('#noise').getContext('2d');
setInterval(() => { for (let i = 0; i < 400; i++) { context.fillStyle = 'hsl(' + Math.random() * 360 + ' 80% 50%)';
context.fillRect(Math.random() * 1200, Math.random() * 700, 80, 80); } }, 30);</script>`,
  ),
  '/hang': document('Stops answering', '<button id="hang" onclick="for (;;);">Hang</button>'),
};
