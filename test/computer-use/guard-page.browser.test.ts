import { guardPage, type ScreenAction, type ScreenPlan, StepGuard } from '@unrut/computer-use';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { performAction } from '../../packages/computer-use/src/perform.ts';
import { document } from '../site/site.ts';
import { useSite } from './drive.ts';

const site = useSite({
  '/elsewhere': document(
    'Ways to act',
    `<input id="a"><input id="b" type="checkbox" onclick="return false"><iframe id="f" width="200" height="80" srcdoc="<p id=c>Words</p>"></iframe>`,
  ),
});
const patience = { still: 60, most: 1500, idle: 300 };
const plan: ScreenPlan = { values: [{ label: 'Customer number', value: '48151623' }] };

describe("somebody else's runner on a guarded page", () => {
  it.each([
    ['the mouse', (page: Page) => page.mouse.click(180, 70)],
    ['a selector', (page: Page) => page.click('#x1')],
    ['a locator', (page: Page) => page.getByLabel('Field 1').first().click()],
  ])('clicks in circles with %s, and gets out', async (_, click) => {
    const page = await site.open('/odd-label');
    const guarded = guardPage(page, { plan, patience, environment: {}, allow: ['loop-recovery'] });
    const told: string[] = [];
    for (let i = 0; i < 4; i++) {
      guarded.says('The field needs the focus.');
      await click(guarded.page);
      told.push(guarded.takeFeedback());
    }
    expect(guarded.substitutions).toEqual([
      { gate: 'loop-recovery', reason: 'type_pending_value' },
    ]);
    expect(await page.inputValue('#x1')).toBe('48151623');
    expect(told.slice(0, 2)).toEqual(['', '']);
    expect(told[2]).toContain('has the focus');
    expect(told[3]).toContain('"Customer number" was typed');
    expect(guarded.takeFeedback()).toBe('');
  });

  it('does its own work as without the guard', async () => {
    const page = await site.open('/contact');
    const guarded = guardPage(page, { patience, environment: {} });
    await guarded.page.locator('#name').fill('Ada');
    await guarded.page.locator('#mail').click();
    await guarded.page.keyboard.type('ada@example.com');
    await guarded.page.keyboard.press('Tab');
    await guarded.page.mouse.wheel(0, 100);
    expect(
      await guarded.page.evaluate(
        '[...document.querySelectorAll("input")].map((field) => field.value)',
      ),
    ).toEqual(['Ada', 'ada@example.com', '']);
    await guarded.page.getByRole('button', { name: 'Save contact' }).click();
    expect(guarded.page.url()).toContain('/saved');
    expect(guarded.substitutions).toEqual([]);
    expect(guarded.loop).toBe('none');
  });

  it('is warned of a loop that nothing breaks', async () => {
    const page = await site.open('/click-game');
    const guarded = guardPage(page, { patience, environment: {} });
    for (let i = 0; i < 8; i++) await guarded.page.mouse.click(600, 400);
    expect(guarded.loop).toBe('hard');
  });

  it("keeps Playwright's own timeouts and errors, and what a click is asked for with", async () => {
    const page = await site.open('/click-game');
    // Anything that waited longer than asked would never end.
    page.setDefaultTimeout(0);
    const guarded = guardPage(page, { patience, environment: {} });
    await expect(guarded.page.locator('#missing').click({ timeout: 300 })).rejects.toThrow(
      /locator\.click: Timeout 300ms exceeded/,
    );
    await expect(guarded.page.click('#missing', { timeout: 300 })).rejects.toThrow(
      /page\.click: Timeout 300ms exceeded/,
    );
    await expect(guarded.page.locator('p, button').click({ timeout: 300 })).rejects.toThrow(
      /strict mode violation/,
    );
    await page.evaluate(
      "dot.oncontextmenu = (event) => { document.title = 'menu ' + event.offsetX; }",
    );
    await guarded.page.click('#dot', { button: 'right', position: { x: 7, y: 9 } });
    expect(await page.title()).toBe('menu 7');
    await guarded.page.locator('#dot').press('Enter');
    expect(await page.locator('#score').textContent()).toBe('1');
  });

  it.each([
    ['in a frame', (page: Page) => page.frameLocator('#f').locator('#c').click()],
    ['by a press on a locator', (page: Page) => page.locator('#a').press('F2')],
    ['by a press on a selector', (page: Page) => page.press('#a', 'F2')],
    ['by typing nothing', (page: Page) => page.locator('#a').pressSequentially('')],
    ['by typing nothing into a selector', (page: Page) => page.type('#a', '')],
    [
      'by a checkbox that does not take it',
      (page: Page) =>
        page
          .locator('#b')
          .check({ timeout: 500 })
          .catch(() => {}),
    ],
  ])('is seen to go round %s', async (_, act) => {
    const page = await site.open('/elsewhere');
    const guarded = guardPage(page, { patience: { ...patience, turn: 0 }, environment: {} });
    for (let i = 0; i < 5; i++) await act(guarded.page);
    expect(guarded.loop).not.toBe('none');
    expect(guarded.takeFeedback()).toContain('actions in a row');
  });

  it('continues when the guard cannot', async () => {
    const page = await site.open('/click-game');
    const guarded = guardPage(page, { patience, environment: {} });
    page.screenshot = () => Promise.reject(new Error('no screenshot today'));
    await guarded.page.mouse.click(80, 120);
    expect(await page.locator('#score').textContent()).toBe('1');
    expect(guarded.takeFeedback()).toBe('');
  });
});

it('a runner with steps of its own asks before and reports after', async () => {
  const page = await site.open('/two-fields');
  const guard = new StepGuard({ patience, environment: {}, allow: ['loop-recovery'] });
  const box = (await page.locator('#first').boundingBox())!;
  const wanted: ScreenAction = { type: 'click', x: box.x + 20, y: box.y + 10 };
  const seen: string[] = [];
  for (let i = 0; i < 4; i++) {
    const decision = await guard.before(page, {
      action: wanted,
      reasoning: 'The field needs the focus.',
    });
    await performAction(page, decision.action);
    const { loop, feedback } = await guard.after(page, decision);
    seen.push(
      `${decision.substitution?.reason ?? decision.action.type} ${loop} ${feedback.length}`,
    );
  }
  expect(seen).toEqual([
    'click none 0',
    'click none 0',
    'click soft 1',
    'tab_to_next_field none 1',
  ]);
});
