import { document, type Pages } from '../site.ts';

/** Its list is made again when it is sorted: what was known of its buttons is no longer true. */
const staleReference = document(
  'Open invoices',
  `<h1>Open invoices</h1>
<button id="sort">Sort by date</button>
<ul id="list"></ul>
<p id="state" role="status">Nothing paid yet.</p>
<script>
  function show() {
    list.replaceChildren(...['Rent', 'Water', 'Power'].map((name) => {
      const item = document.createElement('li');
      const button = document.createElement('button');
      button.textContent = 'Mark ' + name + ' as read';
      button.onclick = () => { state.textContent = name + ' was marked as read.'; };
      item.append(button);
      return item;
    }));
  }
  sort.onclick = show;
  show();
</script>`,
);

/** A wall as sites show it: refused, little text, a frame that asks who is there. */
const blockingPage = {
  ...document(
    'Just a moment...',
    `<h1>Verify you are human</h1>
<form action="/recovery/blocking-page" method="post">
  <iframe title="Widget containing a Cloudflare security challenge" src="/recovery/challenge" width="300" height="65"></iframe>
  <button type="button">Continue</button>
</form>
<p>Enable JavaScript and cookies to continue</p>`,
  ),
  status: 403,
};

const challenge = document(
  'Challenge',
  '<label><input type="checkbox" disabled> Verify you are human</label>',
);

/** A wall of the other kind: who comes here is sent to another page to sign in. */
const signIn = document(
  'Sign in',
  `<h1>Sign in to continue</h1>
<form>
  <label>Email <input type="email" name="email" autocomplete="username"></label>
  <label>Password <input type="password" name="password" autocomplete="current-password"></label>
  <button type="button">Sign in</button>
</form>`,
);

const PARAGRAPH =
  'A CAPTCHA asks whoever visits a page to do what programs find hard. The first ones showed bent letters; later ones asked for traffic lights. ' +
  'Sites put them before sign in forms, and readers complain that access is denied to people who cannot see the pictures.';

/** Speaks of walls, and is none. */
const article = document(
  'A short history of the CAPTCHA',
  `<article>
<h1>A short history of the CAPTCHA</h1>
${Array.from({ length: 12 }, (_, i) => `<h2>Chapter ${i + 1}</h2><p>${PARAGRAPH} This was so in the year ${2000 + i}.</p>`).join('\n')}
<button id="like">Like this article</button>
</article>`,
);

/**
 * A click opens a question at the end of the page, and as long as nobody answers it, further clicks
 * do nothing.
 */
const clickDoesNothing = document(
  'Settings',
  `<h1>Settings</h1>
<p id="state" role="status">Not saved.</p>
<button id="save">Save settings</button>
<div id="question" role="alertdialog" aria-label="Save for everybody?" hidden>
  <button id="everybody">Yes, save for everybody</button>
</div>
<script>
  save.onclick = () => { question.hidden = false; };
  everybody.onclick = () => { state.textContent = 'Settings saved.'; question.hidden = true; };
</script>`,
);

/** It is not loaded before its script is, and the site takes its time over that. */
const slow = document(
  'Report',
  `<h1>Report</h1>
<p id="state" role="status">Loading…</p>
<script src="/recovery/slow/report.js"></script>`,
);
const report = {
  html: "state.textContent = 'The report is ready.';",
  headers: { 'content-type': 'text/javascript' },
};

/**
 * The slow page, and an end to the waiting: everything that was asked for is answered, and from
 * then on at once.
 */
export function slowPages(): { pages: Pages; finish(): void } {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  return {
    pages: {
      '/recovery/slow': slow,
      '/recovery/slow/report.js': () => finished.then(() => report),
    },
    finish,
  };
}

/** Pages on which agents get stuck, and from which a concrete next step leads on. */
export const recoveryPages: Pages = {
  '/recovery/stale-ref': staleReference,
  '/recovery/blocking-page': blockingPage,
  '/recovery/challenge': challenge,
  '/recovery/sign-in': signIn,
  '/recovery/article': article,
  '/recovery/click-does-nothing': clickDoesNothing,
};
