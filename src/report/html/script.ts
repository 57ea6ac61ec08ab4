import { MAX } from './bounds.ts';
import { kinds } from './kinds.ts';

const MEANINGS = JSON.stringify(Object.fromEntries(kinds.map(({ name, meaning }) => [name, meaning])));

/** What the page can do beyond being read: find, sort, open loops by their address, and tell each step of a timeline. */
export const SCRIPT = `(() => {
'use strict';
const MEANINGS = ${MEANINGS};
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const byId = (id) => document.getElementById(id);

const runs = all('.run');
const [find, sort, open, found] = ['find', 'sort', 'open', 'found'].map(byId);
const words = new Map();
const wordsOf = (run) => words.get(run) ?? words.set(run, run.textContent.toLowerCase()).get(run);

function filter() {
  const wanted = find.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const run of runs) run.hidden = !wanted.every((word) => wordsOf(run).includes(word));
  if (fold && wanted.length > 0) fold.open = true;
  const left = runs.filter((run) => !run.hidden).length;
  found.textContent = wanted.length === 0 ? '' : left === 0 ? 'No run matches.' : left + ' of ' + runs.length + (runs.length === 1 ? ' run.' : ' runs.');
}

const sorted = byId('sorted');
const [fold, rest] = ['fold', 'rest'].map(byId);
const worstFirst = [sorted, rest].flatMap((part) => (part ? [...part.children] : []));
function order() {
  const key = sort.value;
  const numberOf = (run) => Number(run.dataset[key]) * (key === 'place' ? 1 : -1);
  const ordered = key === 'wasted' ? worstFirst : worstFirst.toSorted((one, other) => numberOf(one) - numberOf(other));
  sorted.append(...ordered.slice(0, ${MAX.unfolded}));
  rest?.append(...ordered.slice(${MAX.unfolded}));
}

const loops = all('details.loop');
function openAll(isOpen) {
  for (const loop of loops) loop.open = isOpen;
}
function nameButton() {
  open.textContent = loops.every((loop) => loop.open) ? 'Close all loops' : 'Open all loops';
}

function reveal() {
  const target = byId(location.hash.slice(1));
  if (!target) return;
  const loop = target.closest('details.loop');
  if (target.closest('.run')?.hidden) {
    find.value = '';
    filter();
  }
  if (loop) loop.open = true;
  if (target.closest('#fold')) fold.open = true;
  (loop ?? target).scrollIntoView();
}

function tellSteps(strip) {
  const cells = [...strip.children];
  const size = Number(strip.dataset.size);
  const steps = Number(strip.dataset.steps);
  const readout = strip.nextElementSibling;
  let here = -1;

  function loopsAt(cell) {
    return all('b[data-loop]', cell).map((part) => {
      const events = [['start', 'starts'], ['noticed', 'is detected'], ['end', 'ends']].filter(([name]) => part.classList.contains(name));
      const name = (part.classList.contains('light') ? 'advice ' : 'loop ') + part.dataset.loop;
      return events.length > 0 ? name + ' ' + events.map(([, words]) => words).join(', ') + ' here' : 'in ' + name;
    });
  }
  function tell(i) {
    cells[here]?.classList.remove('here');
    here = Math.min(cells.length - 1, Math.max(0, i));
    const cell = cells[here];
    cell.classList.add('here');
    const from = here * size;
    const to = Math.min(steps, from + size) - 1;
    const meaning = MEANINGS[cell.classList[0]];
    const name = to > from ? 'Steps ' + from + ' to ' + to + ': mostly ' + meaning : 'Step ' + from + ': ' + meaning;
    const text = [name + (cell.dataset.what ? ' (' + cell.dataset.what + ')' : ''), ...loopsAt(cell)].join('; ');
    strip.setAttribute('aria-valuenow', from);
    strip.setAttribute('aria-valuetext', text);
    readout.textContent = text;
  }
  function goToLoop(number) {
    const id = strip.closest('.run').id + '-loop-' + number;
    if (location.hash === '#' + id) reveal();
    else location.hash = id;
  }

  strip.setAttribute('role', 'slider');
  strip.tabIndex = 0;
  strip.setAttribute('aria-valuemin', 0);
  strip.setAttribute('aria-valuemax', steps - 1);
  tell(0);
  cells[0].classList.remove('here');
  readout.textContent = 'Hover over a step, or use the arrow keys, to see details.';
  const moves = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10, Home: -Infinity, End: Infinity };
  strip.addEventListener('focus', () => tell(here));
  strip.addEventListener('keydown', (event) => {
    const number = event.key === 'Enter' && cells[here].querySelector('b[data-loop]')?.dataset.loop;
    if (number) goToLoop(number);
    else if (event.key in moves) tell(here + moves[event.key]);
    else return;
    event.preventDefault();
  });
  strip.addEventListener('pointerover', (event) => {
    const i = cells.indexOf(event.target.closest('i'));
    if (i >= 0) tell(i);
  });
  strip.addEventListener('click', (event) => {
    const number = event.target.closest('b[data-loop]')?.dataset.loop;
    if (number) goToLoop(number);
  });
}

for (const button of navigator.clipboard ? all('button.copy') : []) {
  button.hidden = false;
  button.addEventListener('click', () => void navigator.clipboard.writeText(button.dataset.issue).then(() => (button.textContent = 'Copied')));
}
for (const strip of all('.strip')) tellSteps(strip);
if (sorted) {
  find.closest('.tools').hidden = false;
  find.addEventListener('input', filter);
  sort.addEventListener('change', order);
  open.addEventListener('click', () => openAll(open.textContent === 'Open all loops'));
  for (const loop of loops) loop.addEventListener('toggle', nameButton);
  nameButton();
}
addEventListener('hashchange', reveal);
reveal();

let opened = [];
addEventListener('beforeprint', () => {
  opened = loops.filter((loop) => !loop.open);
  openAll(true);
});
addEventListener('afterprint', () => {
  for (const loop of opened) loop.open = false;
});
})();
`;
