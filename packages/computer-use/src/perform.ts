import type { Page } from 'playwright-core';
import type { ScreenAction } from './action.ts';
import { pause } from './pause.ts';

/** Longer texts are inserted at once instead of key by key. */
const MAX_TYPED_LENGTH = 500;
/** A notch of a mouse wheel, in pixels. */
const NOTCH = 100;
const MAX_WAIT = 60;

/** Key names of other schemas, translated to Playwright's. */
const NAMES: Readonly<Record<string, string>> = {
  Enter: 'return enter kp_enter',
  Escape: 'esc escape',
  Tab: 'tab',
  Backspace: 'backspace',
  Delete: 'delete del',
  Insert: 'ins',
  Space: 'space',
  PageDown: 'pagedown page_down next',
  PageUp: 'pageup page_up prior',
  ArrowUp: 'up arrowup',
  ArrowDown: 'down arrowdown',
  ArrowLeft: 'left arrowleft',
  ArrowRight: 'right arrowright',
  Home: 'home',
  End: 'end',
  Control: 'ctrl control control_l',
  Alt: 'alt alt_l option',
  Shift: 'shift shift_l',
  Meta: 'cmd command super super_l meta win',
  '+': 'plus',
  '-': 'minus',
  '.': 'period',
  ',': 'comma',
  '/': 'slash',
};
const KEYS = new Map(
  Object.entries(NAMES).flatMap(([key, names]) => names.split(' ').map((name) => [name, key])),
);

const keyOf = (given: string): string => {
  const key = given.trim();
  return KEYS.get(key.toLowerCase()) ?? (/^f\d{1,2}$/i.test(key) ? key.toUpperCase() : key || '+');
};

/**
 * Chords in Playwright's notation, in order: `ctrl+a Down Down` becomes `Control+a`, `ArrowDown`,
 * `ArrowDown`.
 */
export const chordsOf = (keys: string): string[] =>
  (keys === ' ' ? ['space'] : keys.trim().split(/\s+/)).map((chord) =>
    chord
      .split(/(?<=[^+])\+/)
      .map(keyOf)
      .join('+'),
  );

/**
 * Fields whose text depends on the browser's language, or that take no text. Their value is set
 * directly.
 */
const SET = new Set(['date', 'time', 'month', 'week', 'datetime-local', 'color', 'range']);

const MAX_REPEAT = 50;
const FIELD_TIMEOUT = 3000;
const CHOOSER_TIMEOUT = 10_000;
const LOAD_TIMEOUT = 12_000;

/** Performs an action in the browser. `done` does nothing; the runner handles tabs. */
export async function performAction(
  page: Page,
  action: ScreenAction,
  signal?: AbortSignal,
): Promise<void> {
  const { mouse, keyboard } = page;
  switch (action.type) {
    case 'click': {
      const held = action.keys ? action.keys.split('+').map(keyOf) : [];
      for (const key of held) await keyboard.down(key);
      try {
        return await mouse.click(action.x, action.y, { button: action.button ?? 'left' });
      } finally {
        for (const key of held) await keyboard.up(key);
      }
    }
    case 'double_click':
      return mouse.dblclick(action.x, action.y);
    case 'triple_click':
      return mouse.click(action.x, action.y, { clickCount: 3 });
    case 'move':
      return mouse.move(action.x, action.y);
    case 'type_text': {
      if (action.x !== undefined && action.y !== undefined) await mouse.click(action.x, action.y);
      const kind = await page
        .evaluate('document.activeElement ? document.activeElement.type : ""')
        .catch(() => '');
      if (SET.has(String(kind)))
        return page.locator(':focus').fill(action.text, { timeout: FIELD_TIMEOUT });
      if (kind === 'select-one') {
        // The click has opened the list, so close it.
        if (action.x !== undefined) await keyboard.press('Escape');
        const [chosen] = await page
          .locator(':focus')
          .selectOption({ label: action.text }, { timeout: FIELD_TIMEOUT })
          .catch(() => []);
        if (chosen !== undefined) return;
      }
      if (action.replace) await keyboard.press('ControlOrMeta+A');
      if (action.text.length > MAX_TYPED_LENGTH) return keyboard.insertText(action.text);
      return keyboard.type(action.text);
    }
    case 'key_press': {
      const chords = chordsOf(action.keys);
      if (action.seconds !== undefined) {
        const keys = chords.flatMap((chord) => chord.split(/(?<=[^+])\+/));
        for (const key of keys) await keyboard.down(key);
        await pause(Math.min(action.seconds, MAX_WAIT) * 1000, signal);
        for (const key of keys.toReversed()) await keyboard.up(key);
        return;
      }
      for (let i = 0; i < Math.min(action.repeat ?? 1, MAX_REPEAT); i++)
        for (const chord of chords) await keyboard.press(chord);
      return;
    }
    case 'scroll': {
      if (action.x !== undefined && action.y !== undefined) await mouse.move(action.x, action.y);
      const far =
        action.amount * NOTCH * (action.direction === 'up' || action.direction === 'left' ? -1 : 1);
      return action.direction === 'up' || action.direction === 'down'
        ? mouse.wheel(0, far)
        : mouse.wheel(far, 0);
    }
    case 'drag':
      await mouse.move(action.x, action.y);
      await mouse.down();
      await mouse.move(action.end_x, action.end_y, { steps: 8 });
      return mouse.up();
    case 'navigate': {
      const options = { waitUntil: 'domcontentloaded', timeout: LOAD_TIMEOUT } as const;
      if (action.to === 'back') await page.goBack(options);
      else if (action.to === 'forward') await page.goForward(options);
      else if (action.to === 'reload') await page.reload(options);
      else if (/^https?:\/\//i.test(action.to)) await page.goto(action.to, options);
      else
        throw new Error(
          `Expected back, forward, reload or an address that starts with http, got ${action.to.slice(0, 80)}`,
        );
      return;
    }
    case 'upload': {
      const asked = page.waitForEvent('filechooser', { timeout: CHOOSER_TIMEOUT });
      asked.catch(() => {});
      await mouse.click(action.x, action.y);
      return (await asked).setFiles(action.files);
    }
    case 'wait':
      return pause(Math.min(action.seconds, MAX_WAIT) * 1000, signal);
    case 'switch_tab':
    case 'done':
      return;
  }
}
