import { document, type Pages } from '../site.ts';

const PROSE = Array.from(
  { length: 90 },
  (_, i) =>
    `<p>Section ${i}: how a button to sign in is drawn, where its tokens are kept, which pages follow it, and what a CAPTCHA adds.</p>`,
).join('\n');

/** A long text about walls, and a button that does nothing. */
const guide = (title: string) =>
  document(title, `<article><h1>${title}</h1>\n${PROSE}\n<button>Like</button></article>`);

/** Pages on which calls fail, each in the way of its name. None has a title that gives it away. */
export const failingPages: Pages = {
  '/fails/inner': document(
    'Inner',
    `<button id="sort">Sort</button><div id="list"></div><p id="state"></p>
<script>sort.onclick = () => { list.innerHTML = '<button onclick="state.textContent = \\'Marked.\\'">Mark</button>'; }; sort.onclick();</script>`,
  ),
  '/fails/framed': document('Framed', '<iframe src="/fails/inner" title="list"></iframe>'),
  '/fails/overlay': document(
    'Shop',
    `<button id="keep" onclick="this.textContent = 'Kept'">Keep for later</button>
<div id="cb" style="position: fixed; inset: 0; background: #0008"><button onclick="cb.remove()">Reject all</button></div>`,
  ),
  '/fails/disabled': document(
    'Terms',
    `<label><input type="checkbox" onchange="next.disabled = false"> I have read this</label>
<button id="next" disabled onclick="state.textContent = 'Second page.'">Next</button><p id="state"></p>`,
  ),
  '/fails/account': document(
    'Log in',
    `<form onsubmit="return false"><label>E-mail <input name="mail"></label><label>Password <input type="password"></label><button>Sign in</button></form>
<p role="alert">The password is wrong.</p>`,
  ),
  '/fails/private': {
    html: '',
    status: 302,
    headers: { location: '/fails/account/login?next=private' },
  },
  '/fails/account/login': document(
    'Welcome',
    '<form onsubmit="return false"><label>E-mail <input></label><label>Password <input type="password"></label><button>Continue</button></form>',
  ),
  '/fails/denied': { ...document('Members', '<h1>This part is for members</h1>'), status: 403 },
  '/fails/contact': document(
    'Contact us',
    `<form onsubmit="return false"><label>Message <input></label><iframe title="reCAPTCHA" src="/fails/robot"></iframe><button>Send message</button></form>`,
  ),
  '/fails/robot': document('box', `<label><input type="checkbox" disabled>I'm not a robot</label>`),
  '/fails/history': guide('How CAPTCHAs came to be'),
  '/fails/apple': guide('Sign in with Apple - Developer Guide'),
  '/fails/news': document(
    'The Daily',
    `<form onsubmit="return false"><label>Password <input type="password"></label><button>Sign in</button></form>
<h1>Tide comes in</h1><p>As it did yesterday.</p><button>Like</button>`,
  ),
  '/fails/dialog': document(
    'Drafts',
    `<button onclick="setTimeout(() => confirm('Throw all drafts away?'))">Clear</button>
<button onclick="this.textContent = 'Shown'">Show</button>`,
  ),
  '/fails/chooser': document(
    'Upload',
    `<label>File <input type="file"></label><button onclick="this.textContent = 'Shown'">Show</button>`,
  ),
  '/fails/combobox': document(
    'Colours',
    `<div role="combobox" tabindex="0" aria-label="Colour" onclick="options.hidden = false">Colour</div>
<ul id="options" hidden role="listbox"><li role="option" onclick="state.textContent = 'Red it is.'">Red</li></ul><p id="state"></p>`,
  ),
  '/fails/select': document(
    'Sizes',
    '<select aria-label="Size"><option>Small<option>Large</select>',
  ),
  '/fails/twice': document(
    'Twice',
    `<button onclick="state.textContent = 'First.'">One</button><button>Two</button><p id="state">None.</p>`,
  ),
  '/fails/danger': document('Settings', '<h1>Settings</h1><button>Delete account</button>'),
};
