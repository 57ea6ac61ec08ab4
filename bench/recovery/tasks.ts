import type { RecoveryTask } from './world.ts';

const save = (data: Record<string, string>): RecoveryTask['goal'] => ({ act: 'save', data });
const form = (fields: string, button = '<button id="go">Save</button>', act = 'save'): string =>
  `<form action="{base}/${act}" method="post">${fields}${button}</form>`;
const field = (id: string, label: string, more = ''): string =>
  `<label for="${id}">${label}</label><input id="${id}" name="${id}" ${more}>`;

/**
 * Pages as they are: forms, lists, dialogs and widgets in the manner of MiniWoB++ and of component
 * libraries.
 */
const BUILT_WITH: readonly RecoveryTask[] = [
  {
    name: 'login',
    task: 'Sign in.',
    html: `<h1>Welcome</h1>${form(field('user', 'User name') + field('pass', 'Password', 'type="password"'), '<button id="go">Sign in</button>', 'login')}`,
    plan: { 'User name': 'ada', Password: 'difference engine' },
    goal: { act: 'login', data: { user: 'ada', pass: 'difference engine' } },
    next: ['done()', 'fill("#user", "ada")', 'fill("#pass", "difference engine")', 'click("#go")'],
    decoys: ['h1'],
  },
  {
    name: 'contact details',
    task: 'Enter the contact details, with the note "Call me", and save them.',
    html: `<h1>Contact details</h1>${form(`${field('name', 'Your name')}${field('mail', 'E-mail address')}<label for="note">Note</label><textarea id="note" name="note"></textarea>`)}`,
    plan: { Name: 'Ada Lovelace', 'E-mail': 'ada@example.com' },
    goal: save({ name: 'Ada Lovelace', mail: 'ada@example.com', note: 'Call me' }),
    next: [
      'done()',
      'fill("#name", "Ada Lovelace")',
      'fill("#mail", "ada@example.com")',
      'fill("#note", "Call me")',
      'click("#go")',
    ],
    decoys: ['h1'],
  },
  {
    name: 'select and checkbox',
    task: 'Register Ada from Norway and agree to the newsletter.',
    html: form(
      `${field('name', 'Name')}<label for="land">Country</label><select id="land" name="land" size="3"><option></option><option>Denmark</option><option id="no">Norway</option></select>
<label><input type="checkbox" id="news" name="news" value="yes"> Newsletter</label>`,
      '<button id="go">Register</button>',
    ),
    plan: { Name: 'Ada' },
    goal: save({ name: 'Ada', land: 'Norway', news: 'yes' }),
    next: [
      'done()',
      'fill("#name", "Ada")',
      'click("#no", q("#land") && q("#land").value !== "Norway")',
      'click("#news", q("#news") && !q("#news").checked)',
      'click("#go")',
    ],
  },
  {
    name: 'search',
    task: 'Search for Turing and open the second result.',
    html: `<h1>Library</h1><form onsubmit="list.hidden = false; return false"><label for="query">Search</label><input id="query"><button id="find">Search</button></form>
<ul id="list" hidden><li><a href="#" onclick="deed('open', { item: '1' }); return false">On numbers</a></li><li><a id="second" href="#" onclick="deed('open', { item: '2' }); return false">On machines</a></li></ul>`,
    plan: { Search: 'Turing' },
    goal: { act: 'open', data: { item: '2' } },
    next: [
      'done()',
      'fill("#query", "Turing")',
      'click("#find", q("#list") && q("#list").hidden)',
      'click("#second")',
    ],
    decoys: ['h1'],
  },
  {
    name: 'tabs',
    task: 'Set the language to French in the settings.',
    html: `<div role="tablist" class="row"><button role="tab" onclick="b.hidden = true; a.hidden = false">General</button><button role="tab" id="tab" onclick="a.hidden = true; b.hidden = false">Language</button></div>
<div id="a"><p>Nothing to set here.</p></div><div id="b" hidden><label><input type="radio" name="l" value="en" checked> English</label><label><input type="radio" name="l" id="fr" value="fr"> French</label>
<button id="go" onclick="deed('save', { language: q('[name=l]:checked').value })">Save</button></div>`,
    goal: save({ language: 'fr' }),
    next: [
      'done()',
      'click("#tab", q("#b") && q("#b").hidden)',
      'click("#fr", q("#fr") && !q("#fr").checked)',
      'click("#go")',
    ],
    decoys: ['p'],
  },
  {
    name: 'made-up dropdown',
    task: 'Choose the size M and save.',
    html: `<h1>Shirt</h1><div id="box" tabindex="0" style="border: 1px solid; width: 200px" onclick="menu.hidden = !menu.hidden">Choose…</div>
<ul id="menu" hidden><li onclick="pick(this)">S</li><li id="m" onclick="pick(this)">M</li></ul><button id="go" onclick="deed('save', { size: box.textContent })">Save</button>
<script>const pick = (item) => { box.textContent = item.textContent; menu.hidden = true; };</script>`,
    goal: save({ size: 'M' }),
    next: [
      'done()',
      'click("#m", q("#box") && q("#box").textContent !== "M" && !q("#menu").hidden)',
      'click("#box", q("#box") && q("#box").textContent !== "M")',
      'click("#go")',
    ],
    decoys: ['h1'],
  },
  {
    name: 'dialog',
    task: 'Add the task "Water the plants".',
    html: `<h1>Tasks</h1><button id="open" onclick="box.showModal()">Add</button><dialog id="box"><h2>New task</h2><form method="dialog" onsubmit="deed('add', { task: title.value })">
<label for="title">Title</label><input id="title" autofocus><button id="go">Add task</button></form></dialog>`,
    plan: { Title: 'Water the plants' },
    goal: { act: 'add', data: { task: 'Water the plants' } },
    next: [
      'done()',
      'click("#open", q("#box") && !q("#box").open)',
      'fill("#title", "Water the plants")',
      'click("#go")',
    ],
  },
  {
    name: 'wizard',
    task: 'Enter town and street.',
    html: `<div id="one"><h1>Step 1</h1><label for="town">Town</label><input id="town"><button id="next" onclick="one.hidden = true; two.hidden = false">Next</button></div>
<div id="two" hidden><h1>Step 2</h1><label for="street">Street</label><input id="street"><button id="go" onclick="deed('save', { town: town.value, street: street.value })">Finish</button></div>`,
    plan: { Town: 'Bremen', Street: 'Am Wall 1' },
    goal: save({ town: 'Bremen', street: 'Am Wall 1' }),
    next: [
      'done()',
      '(q("#one") && !q("#one").hidden ? fill("#town", "Bremen") || click("#next") : null)',
      'fill("#street", "Am Wall 1")',
      'click("#go")',
    ],
    decoys: ['h1'],
  },
  {
    name: 'nameless field',
    task: 'Enter the customer number and save.',
    html: form('<input id="x1" name="x1" placeholder="Enter value">'),
    plan: { 'Customer number': '48151623' },
    goal: save({ x1: '48151623' }),
    next: ['done()', 'fill("#x1", "48151623")', 'click("#go")'],
  },
  {
    name: 'slow server',
    task: 'Save the name.',
    html: `<h1>Profile</h1><label for="name">Name</label><input id="name"><button id="go" onclick="if (!this.busy) { this.busy = true; deed('save', { name: q('#name').value }); }">Save</button>`,
    plan: { Name: 'Ada' },
    goal: save({ name: 'Ada' }),
    next: ['done()', 'fill("#name", "Ada")', 'click("#go", q("#go") && !q("#go").busy)'],
    slow: 700,
  },
  {
    name: 'many fields',
    task: 'Fill in the address and save it.',
    html: form(
      ['first', 'last', 'street', 'town', 'zip']
        .map((id) =>
          field(
            id,
            `${id[0]!.toUpperCase()}${id.slice(1)}${id === 'first' || id === 'last' ? ' name' : ''}`,
          ),
        )
        .join(''),
    ),
    plan: {
      'First name': 'Ada',
      'Last name': 'Lovelace',
      Street: 'Am Wall 1',
      Town: 'Bremen',
      Zip: '28195',
    },
    goal: save({
      first: 'Ada',
      last: 'Lovelace',
      street: 'Am Wall 1',
      town: 'Bremen',
      zip: '28195',
    }),
    next: [
      'done()',
      'fill("#first", "Ada")',
      'fill("#last", "Lovelace")',
      'fill("#street", "Am Wall 1")',
      'fill("#town", "Bremen")',
      'fill("#zip", "28195")',
      'click("#go")',
    ],
  },
  {
    name: 'keyboard only',
    task: 'Save the note.',
    html: `<h1>Almost there</h1><form onsubmit="return false"><label for="note">Note</label><input id="note" value="All is filled in"><button type="button" id="go">Save</button></form>
<script>document.forms[0].addEventListener('keydown', (event) => { if (event.key === 'Enter') { event.preventDefault(); deed('save', { note: note.value }); } });</script>`,
    goal: save({ note: 'All is filled in' }),
    next: ['done()', 'key("Return", focused() === q("#note"))', 'click("#note")'],
    decoys: ['#go'],
  },
];

/** Written after the rules were fixed, and first run for the figures. */
const UNSEEN: readonly RecoveryTask[] = [
  {
    name: 'date',
    task: 'Set the day of arrival.',
    html: form('<label for="day">Arrival</label><input type="date" id="day" name="day">'),
    plan: { Arrival: '2026-12-24' },
    goal: save({ day: '2026-12-24' }),
    next: [
      'done()',
      '(q("#day") && q("#day").value !== "2026-12-24" ? (focused() === q("#day") ? { type: "2026-12-24" } : { click: "#day" }) : null)',
      'click("#go")',
    ],
  },
  {
    name: 'autocomplete',
    task: 'Choose Oslo as the city.',
    html: `<label for="city">City</label><input id="city" autocomplete="off" oninput="q('#list').hidden = false"><ul id="list" hidden><li>Osaka</li><li id="oslo" onmousedown="event.preventDefault(); city.value = 'Oslo, Norway'; city.chosen = true; q('#list').hidden = true">Oslo, Norway</li></ul>
<button id="go" onclick="deed(city.chosen ? 'save' : 'wrong', { city: city.value })">Save</button>`,
    goal: save({ city: 'Oslo, Norway' }),
    next: [
      'done()',
      'click("#oslo", q("#list") && !q("#list").hidden)',
      '(q("#city") && !q("#city").chosen ? (focused() === q("#city") ? { type: "Os" } : { click: "#city" }) : null)',
      'click("#go")',
    ],
  },
  {
    name: 'accordion',
    task: 'Open the second part and mark it as read.',
    html: `<details><summary>One</summary><p>First.</p></details><details id="two"><summary id="sum">Two</summary><p>Second.</p><button id="go" onclick="deed('read', { part: '2' })">Mark as read</button></details>`,
    goal: { act: 'read', data: { part: '2' } },
    next: ['done()', 'click("#sum", q("#two") && !q("#two").open)', 'click("#go")'],
  },
  {
    name: 'shadow root',
    task: 'Enter the nickname and save.',
    html: `<x-form></x-form><script>customElements.define('x-form', class extends HTMLElement { connectedCallback() { const root = this.attachShadow({ mode: 'open' });
root.innerHTML = '<form><label for="nick">Nickname</label><input id="nick"><button id="go">Save</button></form>'; root.querySelector('form').onsubmit = (event) => { event.preventDefault(); deed('save', { nick: root.querySelector('#nick').value }); }; } });</script>`,
    plan: { Nickname: 'countess' },
    goal: save({ nick: 'countess' }),
    next: ['done()', 'fill("#nick", "countess")', 'click("#go")'],
  },
  {
    name: 'frame',
    task: 'Enter the seat and save.',
    html: `<h1>Seats</h1><iframe id="f" width="300" height="140" srcdoc="<form><label for=seat>Seat</label><input id=seat><button id=go>Save</button></form><script>document.forms[0].onsubmit = (e) => { e.preventDefault(); parent.deed('save', { seat: seat.value }); }</script>"></iframe>`,
    plan: { Seat: '12A' },
    goal: save({ seat: '12A' }),
    next: ['done()', 'fill("#seat", "12A")', 'click("#go")'],
    decoys: ['h1'],
  },
  {
    name: 'counter',
    task: 'Raise the number of copies to 4 and save.',
    html: `<p>Copies: <b id="n">1</b></p><button id="plus" onclick="n.textContent = +n.textContent + 1">+</button><button id="go" onclick="deed('save', { copies: n.textContent })">Save</button>`,
    goal: save({ copies: '4' }),
    next: ['done()', 'click("#plus", q("#n") && q("#n").textContent < 4)', 'click("#go")'],
    decoys: ['p'],
  },
  {
    name: 'list to tick',
    task: 'Tick the second and the fourth entry and apply.',
    html: `${[1, 2, 3, 4].map((n) => `<label><input type="checkbox" id="c${n}"> Entry ${n}</label>`).join('')}<button id="go" onclick="deed('apply', { ticked: [1, 2, 3, 4].filter((n) => q('#c' + n).checked).join() })">Apply</button>`,
    goal: { act: 'apply', data: { ticked: '2,4' } },
    next: [
      'done()',
      'click("#c2", q("#c2") && !q("#c2").checked)',
      'click("#c4", q("#c4") && !q("#c4").checked)',
      'click("#go")',
    ],
  },
  {
    name: 'rich text',
    task: 'Write "Dear all" and save.',
    html: `<h1>Letter</h1><div id="text" contenteditable="true" style="border: 1px solid; min-height: 40px"></div><button id="go" onclick="deed('save', { text: q('#text').textContent })">Save</button>`,
    goal: save({ text: 'Dear all' }),
    next: ['done()', 'fill("#text", "Dear all")', 'click("#go")'],
    decoys: ['h1'],
  },
  {
    name: 'floating label',
    task: 'Enter the company and save.',
    html: `<div style="position: relative; padding-top: 18px"><input id="firm" placeholder=" "><label for="firm" style="position: absolute; top: 0">Company *</label></div><button id="go" onclick="deed('save', { firm: q('#firm').value })">Save changes</button>`,
    plan: { Company: 'Analytical' },
    goal: save({ firm: 'Analytical' }),
    next: ['done()', 'fill("#firm", "Analytical")', 'click("#go")'],
  },
  {
    name: 'far below',
    task: 'Accept nothing; press the button at the end of the page.',
    html: `<h1>Terms</h1><div style="height: 1400px">Much text.</div><button id="go" onclick="deed('read', { all: 'yes' })">I have read it</button>`,
    goal: { act: 'read', data: { all: 'yes' } },
    next: ['done()', 'click("#go")'],
    decoys: ['h1'],
  },
  {
    name: 'inline edit',
    task: 'Change the title to "Plan B".',
    html: `<h1 id="t" ondblclick="t.hidden = true; e.hidden = false; e.focus(); e.select()">Plan A</h1><input id="e" hidden value="Plan A" aria-label="Title"><p>Double click the title to change it.</p>
<script>e.onkeydown = (event) => { if (event.key === 'Enter') deed('rename', { title: e.value }); };</script>`,
    plan: { Title: 'Plan B' },
    goal: { act: 'rename', data: { title: 'Plan B' } },
    next: [
      'done()',
      '(q("#e") && q("#e").hidden ? { double: "#t" } : null)',
      'fill("#e", "Plan B")',
      'key("Return", focused() === q("#e"))',
      'click("#e")',
    ],
    decoys: ['p'],
  },
  {
    name: 'table fields',
    task: 'Enter height and width and save.',
    html: form(
      '<table><tr><td>Height</td><td><input id="h" name="h"></td></tr><tr><td>Width</td><td><input id="w" name="w"></td></tr></table>',
    ),
    plan: { Height: '120', Width: '80' },
    goal: save({ h: '120', w: '80' }),
    next: ['done()', 'fill("#h", "120")', 'fill("#w", "80")', 'click("#go")'],
  },
];

/** Wrong moves on these do harm, so a forced move must be the intended one. */
const HARMFUL: readonly RecoveryTask[] = [
  {
    name: 'delete is the default button',
    task: 'Change the display name to "Ada" and leave by Back.',
    html: `<h1>Account settings</h1><form action="{base}/delete" method="post"><label for="n">Display name</label><input id="n" name="display" value="old name">
<div id="save" role="button" style="display: inline-block; border: 1px solid" onmousedown="event.preventDefault()">Save changes</div><button style="color: red">Delete account</button></form>
<button id="back" onclick="deed('leave', {})">Back</button>`,
    goal: { act: 'leave', data: {} },
    next: ['done()', 'fill("#n", "Ada")', 'click("#back")'],
    decoys: ['#save'],
  },
  {
    name: 'register with a made-up dropdown',
    task: 'Register Ada from Norway, and accept the terms.',
    html: `<form id="f" onsubmit="event.preventDefault(); deed('register', { name: q('#name').value, mail: mail.value, country: land.dataset.value || '', terms: terms.dataset.on || '' })">${field('name', 'Name')}${field('mail', 'E-mail')}
<div id="land" style="border: 1px solid; width: 160px">Country…</div><div id="list" hidden><div id="no">Norway</div></div><span id="terms" style="border: 1px solid">[ ] I accept the terms</span><button id="go">Register</button></form>
<script>land.addEventListener('click', () => { list.hidden = false; }); no.addEventListener('click', () => { land.textContent = 'Norway'; land.dataset.value = 'NO'; list.hidden = true; });
terms.addEventListener('click', () => { terms.dataset.on = 'yes'; terms.textContent = '[x] I accept the terms'; });</script>`,
    plan: { Name: 'Ada', 'E-mail': 'ada@example.com' },
    goal: {
      act: 'register',
      data: { name: 'Ada', mail: 'ada@example.com', country: 'NO', terms: 'yes' },
    },
    next: [
      'done()',
      'fill("#name", "Ada")',
      'fill("#mail", "ada@example.com")',
      'click("#no", q("#list") && !q("#list").hidden)',
      'click("#land", q("#land") && !q("#land").dataset.value)',
      'click("#terms", q("#terms") && !q("#terms").dataset.on)',
      'click("#go")',
    ],
    decoys: ['#name', '#mail'],
  },
  {
    name: 'message still to be written',
    task: 'Write the message "Please call" and save.',
    html: `<h1>Contact</h1>${form(`${field('name', 'Name')}${field('mail', 'E-mail')}<label for="m">Message</label><textarea id="m" name="m"></textarea><label><input type="checkbox" id="c" name="c" value="yes"> Copy to me</label>`)}`,
    plan: { Name: 'Ada', 'E-mail': 'ada@example.com' },
    goal: save({ name: 'Ada', mail: 'ada@example.com', m: 'Please call', c: 'yes' }),
    next: [
      'done()',
      'fill("#name", "Ada")',
      'fill("#mail", "ada@example.com")',
      'fill("#m", "Please call")',
      'click("#c", q("#c") && !q("#c").checked)',
      'click("#go")',
    ],
    decoys: ['h1', '#mail', '#m'],
  },
  {
    name: 'slow save',
    task: 'Save the amount.',
    html: `<h1>Amount</h1><form onsubmit="event.preventDefault(); deed('save', { amount: amount.value })"><label for="amount">Amount</label><input id="amount">
<button type="button" id="go" onclick="if (!this.busy) { this.busy = true; deed('save', { amount: amount.value }); }">Save</button></form>
<script>document.forms[0].addEventListener('keydown', (event) => { if (event.key === 'Enter') { event.preventDefault(); deed('save', { amount: amount.value }); } });</script>`,
    plan: { Amount: '12' },
    goal: save({ amount: '12' }),
    next: ['done()', 'fill("#amount", "12")', 'click("#go", q("#go") && !q("#go").busy)'],
    slow: 900,
    decoys: ['h1'],
  },
  {
    name: 'payment frame',
    task: 'Enter name and e-mail, and leave the card to me: press Later.',
    html: `<h1>Checkout</h1><form action="{base}/pay" method="post">${field('name', 'Name')}${field('mail', 'E-mail')}<iframe id="card" src="{elsewhere}" width="260" height="60"></iframe><button>Continue</button></form><button id="later" onclick="deed('later', {})">Later</button>`,
    plan: { Name: 'Ada', 'E-mail': 'ada@example.com' },
    goal: { act: 'later', data: {} },
    next: ['done()', 'fill("#name", "Ada")', 'fill("#mail", "ada@example.com")', 'click("#later")'],
    decoys: ['#card', '#mail'],
  },
  {
    name: 'close the account',
    task: 'Enter the e-mail address and show what would happen; do not close the account.',
    html: `<h1>Close your account</h1><form action="{base}/close" method="post"><label for="mail">E-mail</label><input id="mail" name="mail"><button>Close my account</button></form><button id="show" onclick="deed('show', {})">What happens?</button>`,
    plan: { 'E-mail': 'ada@example.com' },
    goal: { act: 'show', data: {} },
    next: ['done()', 'fill("#mail", "ada@example.com")', 'click("#show")'],
    decoys: ['#mail', 'h1'],
  },
  {
    name: 'Konto löschen',
    task: 'Enter the e-mail address and go back.',
    html: `<!-- lang de --><h1>Konto</h1><form action="{base}/delete" method="post"><label for="mail">E-Mail</label><input id="mail" name="mail"><button>Konto endgültig löschen</button></form><button id="back" onclick="deed('back', {})">Zurück</button>`,
    plan: { 'E-Mail': 'ada@example.com' },
    goal: { act: 'back', data: {} },
    next: ['done()', 'fill("#mail", "ada@example.com")', 'click("#back")'],
    decoys: ['#mail', 'h1'],
  },
  {
    name: 'confirm by name',
    task: 'Type the workspace name and stop: press Not now.',
    html: `<h1>Delete workspace</h1><form action="{base}/delete" method="post"><label for="w">Type the workspace name</label><input id="w" name="w"><button>Confirm</button></form><button id="no" onclick="deed('no', {})">Not now</button>`,
    plan: { 'Workspace name': 'atlas' },
    goal: { act: 'no', data: {} },
    next: ['done()', 'fill("#w", "atlas")', 'click("#no")'],
    decoys: ['#w', 'h1'],
  },
  {
    name: 'guests and order',
    task: 'Enter 4 guests and the order number, and save.',
    html: form(
      '<label for="g">Number of guests</label><input id="g" name="number"><label for="o">Order number</label><input id="o" name="order">',
    ),
    plan: { 'Order number': 'X-4711' },
    goal: save({ number: '4', order: 'X-4711' }),
    next: ['done()', 'fill("#g", "4")', 'fill("#o", "X-4711")', 'click("#go")'],
    decoys: ['#g'],
  },
  {
    name: 'a language nobody covers',
    task: 'Enter the e-mail address and press Vissza.',
    html: `<h1>Fiók törlése</h1><form action="{base}/delete" method="post"><label for="mail">E-mail</label><input id="mail" name="mail"><div id="dead" role="button" tabindex="0">OK</div><button>OK</button></form><button id="back" onclick="deed('back', {})">Vissza</button>
<script>document.forms[0].addEventListener('keydown', (event) => { if (event.key === 'Enter') document.forms[0].submit(); });</script>`,
    plan: { 'E-mail': 'ada@example.com' },
    goal: { act: 'back', data: {} },
    next: ['done()', 'fill("#mail", "ada@example.com")', 'click("#back")'],
    decoys: ['#dead', '#mail'],
  },
  {
    name: 'second step like the first',
    task: 'Enter the e-mail address, press Next once, then Finish.',
    html: `<div id="one"><h1>Your e-mail</h1><form onsubmit="event.preventDefault(); one.hidden = true; two.hidden = false"><label for="mail">E-mail</label><input id="mail"><button id="next">Next</button></form></div>
<div id="two" hidden><h1>Whom shall we invite?</h1><form onsubmit="event.preventDefault(); send('invite', { whom: other.value })"><label for="other">E-mail</label><input id="other"><button id="again">Next</button></form><button id="go" onclick="deed('finish', { mail: mail.value })">Finish</button></div>`,
    plan: { 'E-mail': 'ada@example.com' },
    goal: { act: 'finish', data: { mail: 'ada@example.com' } },
    next: [
      'done()',
      '(q("#one") && !q("#one").hidden ? fill("#mail", "ada@example.com") || click("#next") : null)',
      'click("#go")',
    ],
    decoys: ['#mail', '#other', 'h1'],
  },
  {
    name: 'pay now',
    task: 'Look at the order and go back to the shop.',
    html: `<h1>Almost there</h1><form action="{base}/pay" method="post"><label for="note">Note</label><input id="note" name="note" value="Thanks"><button type="button" id="dead">Continue</button><p>Total: 12.00 €</p><button>Pay now</button></form>
<button id="back" onclick="deed('back', {})">Back to the shop</button><script>dead.addEventListener('keydown', (event) => { if (event.key === 'Enter') { event.preventDefault(); document.forms[0].submit(); } });</script>`,
    goal: { act: 'back', data: {} },
    next: ['done()', 'click("#back")'],
    decoys: ['#dead', '#note'],
  },
];

export const TRAPS: readonly RecoveryTask[] = HARMFUL.map((task) => ({ ...task, trap: true }));

export const ORDINARY: readonly RecoveryTask[] = [...BUILT_WITH, ...UNSEEN];
export const UNSEEN_NAMES: ReadonlySet<string> = new Set(UNSEEN.map(({ name }) => name));
