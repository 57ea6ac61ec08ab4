import { describe, expect, it } from 'vitest';
import { document, type Pages } from '../site/site.ts';
import { done, type Script, useSite } from './drive.ts';

const filled = (value: string): ReturnType<typeof document> =>
  document(
    'A form whose field holds something',
    `<form action="/saved"><label for="x1">Field 1</label><input id="x1" value="${value}"><label for="x2">Field 2</label><input id="x2"><button id="save">Save</button></form>`,
  );

/** The first press of the button has no effect except `first`. */
const deafButton = (first: string, style = ''): ReturnType<typeof document> =>
  document(
    'A button that does not react at first',
    `${style}<h1>Almost there</h1><form action="/saved"><label for="town">Town</label><input id="town" name="town"><button id="save">Save</button></form>
<script>let presses = 0; document.forms[0].onsubmit = (event) => { if (++presses === 1) { event.preventDefault(); ${first} } };</script>`,
  );

/** The form's content is positioned outside its layout, so the form has no size. */
const PLACED =
  '<style>form { height: 0 } form * { position: absolute } #town { top: 200px } #save { top: 300px }</style>';

const pages: Pages = {
  '/held': filled('typed by the user'),
  '/begun': filled('4815'),
  '/deaf-button': deafButton(''),
  '/deaf-placed-button': deafButton('', PLACED),
  '/silent-request': deafButton("fetch('/saved', { method: 'POST' });"),
};
const site = useSite(pages);

describe('type_pending_value', () => {
  const plan = { values: [{ label: 'Customer number', value: '48151623' }] };
  const clicksField: Script = ({ view, click }) => (view.step < 6 ? click('#x1') : done());
  const run = async (path: string) => {
    const { page, loop_recoveries_by_reason } = await site.run(path, clicksField, {
      plan,
      allow: ['loop-recovery'],
    });
    return { held: await page.inputValue('#x1'), loop_recoveries_by_reason };
  };

  it('does not overwrite what the user typed', async () => {
    const { held, loop_recoveries_by_reason } = await run('/held');
    expect(held).toBe('typed by the user');
    expect(loop_recoveries_by_reason).not.toHaveProperty('type_pending_value');
  });

  it('completes a value that was begun', async () => {
    expect(await run('/begun')).toMatchObject({
      held: '48151623',
      loop_recoveries_by_reason: { type_pending_value: 1 },
    });
  });
});

describe('force-submit', () => {
  const run = (path: string) => {
    let pressed = false;
    const brain: Script = ({ view, click }) => {
      if (view.url.includes('/saved')) return done();
      if (view.pending.length > 0) return click('#town');
      if (pressed) return click('h1');
      pressed = true;
      return click('#save');
    };
    return site.run(path, brain, {
      plan: { values: [{ label: 'Town', value: 'Bremen' }] },
      allow: ['force-submit'],
    });
  };

  it.each(['/deaf-button', '/deaf-placed-button'])(
    'presses the button again after a click in vain (%s)',
    async (path) => {
      expect(await run(path)).toMatchObject({
        termination_reason: 'done',
        substitutions_by_gate: { 'force-submit': 1 },
      });
    },
  );

  it('does not if the first click has sent something, although nothing is seen of it', async () => {
    const { substitutions_by_gate } = await run('/silent-request');
    expect(substitutions_by_gate).not.toHaveProperty('force-submit');
  });
});
