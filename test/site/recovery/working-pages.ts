import { document, type Pages } from '../site.ts';

let visits = 0;
const article = (title: string, text: string) =>
  document(title, `<article><h1>${title}</h1><p>${text}</p><button>Like</button></article>`);

/** Pages on which the same call again is work, or on which only the words are those of a wall. */
export const workingPages: Pages = {
  '/works/wizard': document(
    'Wizard',
    `<h1 id="h">Step 1</h1><button onclick="h.textContent = 'Step ' + ++k">Next</button><script>let k = 1</script>`,
  ),
  '/works/list': document(
    'List',
    `<ul id="list"></ul><p id="at">At 0</p>
<script>let k = 0; onkeydown = ({ key }) => { if (key === 'ArrowDown') at.textContent = 'At ' + ++k; };</script>`,
  ),
  /** New on every request, as a page is while its source is edited. */
  '/works/fresh': () => document('Shop', `<h1>Build ${++visits}</h1><p>${'.'.repeat(visits)}</p>`),
  '/works/dead': document('Shop', '<button>Next</button>'),
  '/works/form': document(
    'Members',
    `<form onsubmit="state.textContent = 'Hello ' + mail.value; return false"><input id="mail" aria-label="E-mail" required>
<button>Sign in</button></form><p id="state"></p>`,
  ),
  '/works/patterns': article(
    'Login design patterns in 2026',
    'How forms to sign in look by now, and why fewer ask for a password. '.repeat(300),
  ),
  '/works/short': article('Login forms: a history', 'The first ones asked for a name only.'),
  '/works/codes': article(
    'HTTP status codes',
    'HTTP 403 Forbidden means that the server refuses. HTTP 401 Unauthorized asks for a login.',
  ),
};
