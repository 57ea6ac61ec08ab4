import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  guardPage,
  openTrajectoryFolder,
  type Proposal,
  type ScreenAction,
} from '@unrut/computer-use';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { document } from '../site/site.ts';
import { coloursIn } from './colours-in.ts';
import { done, type Script, useSite } from './drive.ts';
import { runScript, WATCHES_FIRST } from './script.ts';

const site = useSite({
  '/login-popup': document(
    'A popup',
    '<a id="open" href="/closes" target="_blank">Sign in with another site</a>',
  ),
  '/closes': document(
    'Closes itself',
    '<button style="position: absolute; left: 0; top: 0; width: 200px; height: 80px" onclick="window.close()">Close</button>',
  ),
  '/banner': document(
    'An animated banner',
    `<style>#h { height: 180px; background: linear-gradient(90deg, #e66, #66e, #6e6, #e66); background-size: 400% 100%; animation: g 6s linear infinite } @keyframes g { to { background-position: 400% 0 } }</style>
<div id="h"></div><form action="/saved"><label for="a">Town</label><input id="a"><label for="b">Street</label><input id="b"><button id="save">Save</button></form>`,
  ),
  '/carousel': document(
    'Slides that turn, never twice the same',
    `<div id="slide" style="height: 120px; font: 32px sans-serif">Slide 0</div><button id="dead">Save</button><button id="add" onclick="n.textContent = +n.textContent + 1">Add</button><p id="n">0</p>
<script>let turns = 0; setInterval(() => { turns++; slide.textContent = 'Slide ' + turns * 37; slide.style.background = 'hsl(' + turns * 50 + ' 60% 80%)'; }, 700);</script>`,
  ),
  '/late': document(
    'Answers late',
    '<button id="roll" onclick="setTimeout(() => { n.textContent = +n.textContent + 1; }, 700)">Roll</button><p id="n">0</p>',
  ),
  '/ponders': document(
    'Does not answer for a while',
    '<button id="go" onclick="for (const end = Date.now() + 2500; Date.now() < end;); n.textContent = \'ready\'">Go</button><p id="n"></p>',
  ),
  '/show-password': document(
    'Sign in',
    `<form action="/saved"><label for="p">Password</label><input id="p" name="p" type="password" style="font: 24px monospace; width: 400px">
<button type="button" id="show" onclick="p.type = 'text'">Show</button><button type="button" id="other" onclick="p.outerHTML = '<input id=p name=p style=&quot;font: 24px monospace; width: 400px&quot; value=&quot;' + p.value + '&quot;>'">Show it otherwise</button></form>`,
  ),
  '/shadow-password': document(
    'A password in a shadow root',
    `<x-login id="host"></x-login><script>customElements.define('x-login', class extends HTMLElement { connectedCallback() {
this.attachShadow({ mode: 'open' }).innerHTML = '<label for="p">Password</label><input id="p" type="password" style="font: 24px monospace; width: 400px"><button id="show" type="button">Show</button>';
const at = (id) => this.shadowRoot.getElementById(id); at('show').onclick = () => { at('p').type = 'text'; }; } });</script>`,
  ),
  '/framed-password': document(
    'A password in a frame',
    '<iframe id="f" width="600" height="200" src="/show-password"></iframe>',
  ),
  '/slow-save': document(
    'Slow, and does not say so',
    '<button id="save" onclick="fetch(\'/never\')">Save</button>',
  ),
  '/dates': document(
    'Dates',
    `<form>${['date', 'time', 'month', 'color', 'range'].map((type) => `<label for="${type}">The ${type}</label><input id="${type}" type="${type}">`).join('<br>')}</form>`,
  ),
  '/letter': document(
    'A letter',
    '<form action="/saved"><label for="t">Letter</label><textarea id="t"></textarea><button type="button" id="dead" onmousedown="event.preventDefault()">Save</button><button>Send</button></form>',
  ),
  '/far-effect': document(
    'Add',
    '<button id="add" onclick="n.textContent = +n.textContent + 1">Add</button><div style="height: 3000px"></div><p id="n">0</p>',
  ),
  '/download': document(
    'Files',
    '<a id="get" download="report.csv" href="data:text/csv,a">Report</a>',
  ),
  '/frame': document(
    'A frame of another site',
    '<iframe id="f" width="300" height="120" sandbox="allow-scripts" srcdoc="<label>Card <input></label>"></iframe>',
  ),
  '/closed': document(
    'A closed root',
    '<x-pay id="f" style="display: block; width: 300px; height: 60px; border: 1px solid"></x-pay><script>customElements.define("x-pay", class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: "closed", delegatesFocus: true }).innerHTML = "<input>"; } });</script>',
  ),
  '/cover': document(
    'A banner over all',
    '<button id="save" onclick="document.title = 1">Save</button><div id="cover" style="position: fixed; inset: 0; background: #fff8; padding-top: 150px">We use cookies</div>',
  ),
  '/hands': document(
    'Hands',
    `<p id="menu" onmouseenter="log('hover')" style="width: 200px">Menu</p><p id="text" onclick="log(event.detail + (event.shiftKey ? ' shift' : ''))" style="width: 200px">Some words</p><input id="key" onkeydown="log(event.key)"><input type="file" id="file" onchange="log(this.files[0].name)"><pre id="out"></pre><script>const log = (what) => { out.textContent += what + ';'; };</script>`,
  ),
});
const folder = mkdtempSync(join(tmpdir(), 'unrut-pages-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('a popup that closes itself leads back to the page before it', async () => {
  const seen: string[] = [];
  const result = await site.run('/login-popup', ({ view, click }) => {
    seen.push(new URL(view.url).pathname);
    if (view.step === 0) return click('#open');
    return view.url.includes('/closes')
      ? { action: { type: 'click', x: 40, y: 40 } }
      : done(view.feedback);
  });
  expect(result).toMatchObject({
    termination_reason: 'done',
    ending: expect.stringContaining('The tab was closed'),
  });
  expect(seen).toEqual(['/login-popup', '/closes', '/login-popup']);
});

it('a large area that moves ends no run, and hides no change next to it', async () => {
  const moves: Script[] = [
    ({ click }) => click('#a'),
    () => ({ action: { type: 'type_text', text: 'Bremen' } }),
    ({ click }) => click('#b'),
    () => ({ action: { type: 'type_text', text: 'Am Wall' } }),
    ({ click }) => click('#save'),
  ];
  const result = await site.run('/banner', (scene) => moves[scene.view.step]?.(scene) ?? done(), {
    patience: WATCHES_FIRST,
  });
  expect(result.termination_reason).toBe('done');
  expect(result.trajectory.slice(0, 5).map((step) => step.action_effect_observed)).toEqual([
    true,
    true,
    true,
    true,
    true,
  ]);
});

it('clicks next to it that do nothing are a loop all the same', async () => {
  const result = await site.run('/banner', () => ({ action: { type: 'click', x: 500, y: 350 } }), {
    patience: WATCHES_FIRST,
  });
  expect(result.termination_reason).toBe('loop');
});

describe('slides that turn while a brain thinks', () => {
  const turning = { ...WATCHES_FIRST, idle: 0, turn: 20_000 };
  /** Clicks the same thing again and again, and takes its time, until this is true on the page. */
  const thinks =
    (selector: string, until: (step: number) => string): Script =>
    async ({ page, view: { step }, click }) => {
      if (step > 0) await page.waitForFunction(until(step));
      return step < 10 ? click(selector, 'Continue.') : done();
    };
  const turnsTwice = (step: number): string =>
    `(window.since ??= {})[${step}] ??= turns, turns > window.since[${step}] + 1`;

  it('hide no loop, and are no effect of a click', async () => {
    const result = await site.run('/carousel', thinks('#dead', turnsTwice), { patience: turning });
    expect(result).toMatchObject({ termination_reason: 'loop', steps: 7 });
    expect(result.trajectory.slice(2).map((step) => step.action_effect_observed)).toEqual(
      Array(5).fill(false),
    );
  });

  it('hide no change next to them', async () => {
    const result = await site.run('/carousel', thinks('#add', turnsTwice), { patience: turning });
    expect(result).toMatchObject({ termination_reason: 'done', nudges: 0 });
    expect(result.trajectory.slice(0, 10).every((step) => step.action_effect_observed)).toBe(true);
  });

  it('are distinguished from an answer that comes late', async () => {
    const result = await site.run(
      '/late',
      thinks('#roll', (step) => `+n.textContent === ${step}`),
      { patience: { ...turning, turn: 300 } },
    );
    expect(result).toMatchObject({ termination_reason: 'done', nudges: 0 });
  });
});

it('a script that takes its time is waited for', async () => {
  const result = await site.run(
    '/ponders',
    ({ view, click }) => (view.step === 0 ? click('#go') : done()),
    { maxSteps: 5 },
  );
  expect(result.termination_reason).toBe('done');
  expect(result.trajectory[0]?.action_effect_observed).toBe(true);
});

it.each(['#show', '#other'])(
  'a secret is painted over in every picture, also when it is shown (%s)',
  async (button) => {
    const kept = await openTrajectoryFolder(join(folder, button.slice(1)));
    const plan = { values: [{ label: 'Password', value: 'correct horse 42' }] };
    const { page } = await site.run(
      '/show-password',
      ({ view, click }) => click(view.step === 0 ? '#p' : button),
      {
        plan,
        ...kept,
        maxSteps: 2,
      },
    );
    expect(await page.locator('#p').evaluate((node) => (node as { type?: string }).type)).toBe(
      'text',
    );
    const box = (await page.locator('#p').boundingBox())!;
    for (const name of ['002.png', 'final.png'])
      expect(coloursIn(join(folder, button.slice(1), name), box), name).toEqual(['136,136,136']);
  },
);

it.each([
  ['/shadow-password', (page: Page) => page.locator('#host')],
  ['/framed-password', (page: Page) => page.frameLocator('#f')],
])('also in a shadow root and in a frame of the same site (%s)', async (path, inside) => {
  const kept = await openTrajectoryFolder(join(folder, path.slice(1)));
  const { page } = await site.run(
    path,
    async ({ view, page }) => {
      const box = (await inside(page)
        .locator(view.step === 0 ? '#p' : '#show')
        .boundingBox())!;
      return { action: { type: 'click', x: Math.round(box.x + 10), y: Math.round(box.y + 10) } };
    },
    { plan: { values: [{ label: 'Password', value: 'correct horse 42' }] }, ...kept, maxSteps: 2 },
  );
  const field = inside(page).locator('#p');
  expect([await field.inputValue(), await field.getAttribute('type')]).toEqual([
    'correct horse 42',
    'text',
  ]);
  expect(coloursIn(join(folder, path.slice(1), 'final.png'), (await field.boundingBox())!)).toEqual(
    ['136,136,136'],
  );
});

it('a page that waits for an answer is said to be loading, and nothing is forced', async () => {
  const page = await site.open('/slow-save');
  let open = 0;
  await page.route('**/never', () => void open++);
  const result = await runScript(page, ({ click }) => click('#save', 'Submit it.'), {
    allow: ['loop-recovery'],
    maxSteps: 14,
  });
  expect(open).toBe(result.steps);
  expect(result).toMatchObject({ loop_recoveries_by_reason: {}, substitutions_by_gate: {} });
  expect(result.trajectory.map((step) => step.feedback).join(' ')).toContain(
    'The page is still loading',
  );
});

it('dates, times, colours and sliders take what the plan has for them', async () => {
  const given = {
    date: '2026-11-17',
    time: '16:30',
    month: '2026-12',
    color: '#336699',
    range: '70',
  };
  const names = Object.keys(given) as (keyof typeof given)[];
  const plan = { values: names.map((name) => ({ label: `The ${name}`, value: given[name] })) };
  const { page } = await site.run(
    '/dates',
    ({ view, click }) => (view.step < names.length ? click(`#${names[view.step]}`) : done()),
    {
      plan,
      off: ['done-gate'],
    },
  );
  expect(
    await page.evaluate(
      'Object.fromEntries([...document.querySelectorAll("input")].map((field) => [field.id, field.value]))',
    ),
  ).toEqual(given);
});

it('Return is never pressed into a text of several lines', async () => {
  const { page, ...result } = await site.run(
    '/letter',
    ({ view, click }) =>
      view.step === 0
        ? click('#t')
        : view.step === 1
          ? { action: { type: 'type_text', text: 'Dear Sir' } }
          : click('#dead', 'Send it.'),
    {
      allow: ['loop-recovery', 'returnInFocusedField', 'press_return_for_submit'],
      maxSteps: 7,
      escalate: async () => true,
    },
  );
  expect(await page.inputValue('#t')).toBe('Dear Sir');
  expect(result.loop_recoveries_by_reason).toEqual({});
});

it('a brain is not asked to type what only the plan knows', async () => {
  const plan = { values: [{ label: 'Password', value: 'correct horse 42' }] };
  const result = await site.run('/show-password', ({ click }) => click('#p'), {
    plan,
    off: ['force-fill'],
    maxSteps: 3,
  });
  expect(result.trajectory.at(-1)?.feedback).toContain(
    'The runner types its value when you click it once',
  );
});

it('a brain that throws ends the run, and what was done before is kept', async () => {
  const kept = await openTrajectoryFolder(join(folder, 'throws'));
  const { page: _, ...result } = await site.run(
    '/click-game',
    ({ view, click }) => {
      if (view.step < 2) return click('#dot');
      throw Object.assign(new Error('[unrut] [computer-use] The model has gone.'), {
        name: 'TimeoutError',
      });
    },
    kept,
  );
  await kept.finish(result);
  expect(result).toMatchObject({
    termination_reason: 'brain_failed',
    ending: 'The model has gone.',
    steps: 2,
  });
  expect(
    JSON.parse(readFileSync(join(folder, 'throws/trajectory.json'), 'utf8')).trajectory,
  ).toHaveLength(2);
  expect(readFileSync(join(folder, 'throws/index.html'), 'utf8')).toContain('brain_failed');
});

it('what a click changes out of sight counts, and every click arrives', async () => {
  const page = await site.open('/far-effect');
  const guarded = guardPage(page, { environment: {}, patience: { still: 20, most: 500, idle: 0 } });
  for (let i = 0; i < 8; i++) await guarded.page.click('#add');
  expect([await page.locator('#n').textContent(), guarded.substitutions, guarded.loop]).toEqual([
    '8',
    [],
    'none',
  ]);
});

it('a download is an effect, and is reported by its name', async () => {
  const feedback: string[] = [];
  const result = await site.run('/download', ({ view, click }) => {
    feedback.push(view.feedback);
    return view.step < 4 ? click('#get') : done();
  });
  expect(feedback.slice(1)).toEqual(Array(4).fill(expect.stringContaining('"report.csv"')));
  expect(result).toMatchObject({ termination_reason: 'done', nudges: 0 });
});

it.each(['/frame', '/closed'])(
  'a frame or widget that cannot be inspected gets a nudge and nothing else (%s)',
  async (path) => {
    const plan = { values: [{ label: 'Card', value: '4111' }] };
    const result = await site.run(path, ({ click }) => click('#f', 'Submit it.'), {
      plan,
      maxSteps: 4,
    });
    expect(result.substitutions_by_gate).toEqual({});
    expect(result.trajectory.at(-1)?.feedback).toContain('is not accessible');
  },
);

it('the nudge says what lies at the point', async () => {
  const result = await site.run('/cover', ({ click }) => click('#save'), { maxSteps: 3 });
  expect(result.trajectory.at(-1)?.feedback).toContain('"We use cookies"');
});

describe('hands', () => {
  it('hover, click thrice and with a key held, hold and repeat keys, choose files, go back and to another tab', async () => {
    const file = join(folder, 'letter.txt');
    writeFileSync(file, 'Dear all');
    const point = async (
      scene: Parameters<Script>[0],
      selector: string,
    ): Promise<{ x: number; y: number }> => {
      const { action } = await scene.click(selector);
      return action as { x: number; y: number } & ScreenAction;
    };
    const moves: ((scene: Parameters<Script>[0]) => Promise<Proposal>)[] = [
      async (scene) => ({
        action: { ...(await point(scene, '#menu')), type: 'move' } as ScreenAction,
      }),
      async (scene) => ({
        action: { ...(await point(scene, '#text')), type: 'triple_click' } as ScreenAction,
      }),
      async (scene) => ({
        action: { ...(await point(scene, '#text')), type: 'click', keys: 'shift' } as ScreenAction,
      }),
      async (scene) => scene.click('#key'),
      async () => ({ action: { type: 'key_press', keys: 'Down Down', repeat: 2 } }),
      async () => ({ action: { type: 'key_press', keys: 'plus', seconds: 0.05 } }),
      async (scene) => ({
        action: {
          ...(await point(scene, '#file')),
          type: 'upload',
          files: ['/etc/passwd'],
        } as ScreenAction,
      }),
      async (scene) => ({
        action: { ...(await point(scene, '#file')), type: 'upload', files: [file] } as ScreenAction,
      }),
    ];
    const feedback: string[] = [];
    const result = await site.run(
      '/hands',
      async (scene) => {
        feedback.push(scene.view.feedback);
        return (await moves[scene.view.step]?.(scene)) ?? done();
      },
      { uploads: [file] },
    );
    const said = (await result.page.locator('#out').textContent())!;
    expect(said).toMatch(/^hover;1;2;3;(?:Shift;)?1 shift;/);
    expect(said).toContain('ArrowDown;ArrowDown;ArrowDown;ArrowDown;+;');
    expect(said).toMatch(/letter\.txt;$/);
    expect(feedback[7]).toContain('only these files may be chosen');
  });

  it('go to an address, back and forward, and to another tab', async () => {
    const to = (where: string): Proposal => ({ action: { type: 'navigate', to: where } });
    const seen: string[] = [];
    const moves: Script[] = [
      () => to(`${site.url}/saved`),
      () => to('back'),
      () => to('forward'),
      () => to(`${site.url}/new-tab`),
      ({ click }) => click('#open'),
      () => ({ action: { type: 'switch_tab', tab: 0 } }),
      () => to('file:///etc/passwd'),
    ];
    await site.run('/click-game', (scene) => {
      seen.push(new URL(scene.view.url).pathname);
      return moves[scene.view.step]?.(scene) ?? done();
    });
    expect(seen).toEqual([
      '/click-game',
      '/saved',
      '/click-game',
      '/saved',
      '/new-tab',
      '/saved',
      '/new-tab',
      '/new-tab',
    ]);
  });
});
