import type { Page } from 'playwright-core';
import type { ScreenAction } from './action.ts';
import { pause } from './pause.ts';

/** Longer texts go in at once, without a key for each letter. */
const MAX_TYPED_LENGTH = 500;
/** A notch of a mouse wheel, in pixels. */
const NOTCH = 100;
const MAX_WAIT = 60;

/** Names of keys in other schemas, as Playwright calls them. */
const KEYS: Readonly<Record<string, string>> = {
  return: 'Enter',
  enter: 'Enter',
  kp_enter: 'Enter',
  esc: 'Escape',
  escape: 'Escape',
  tab: 'Tab',
  backspace: 'Backspace',
  delete: 'Delete',
  del: 'Delete',
  space: 'Space',
  pagedown: 'PageDown',
  page_down: 'PageDown',
  next: 'PageDown',
  pageup: 'PageUp',
  page_up: 'PageUp',
  prior: 'PageUp',
  up: 'ArrowUp',
  arrowup: 'ArrowUp',
  down: 'ArrowDown',
  arrowdown: 'ArrowDown',
  left: 'ArrowLeft',
  arrowleft: 'ArrowLeft',
  right: 'ArrowRight',
  arrowright: 'ArrowRight',
  home: 'Home',
  end: 'End',
  ctrl: 'Control',
  control: 'Control',
  control_l: 'Control',
  alt: 'Alt',
  alt_l: 'Alt',
  option: 'Alt',
  shift: 'Shift',
  shift_l: 'Shift',
  cmd: 'Meta',
  command: 'Meta',
  super: 'Meta',
  super_l: 'Meta',
  meta: 'Meta',
  win: 'Meta',
};

/** A chord in Playwright's words: `ctrl+a` is `Control+a`. */
export const chordOf = (keys: string): string =>
  keys
    .split(/(?<=[^+])\+/)
    .map((key) => KEYS[key.trim().toLowerCase()] ?? (/^f\d{1,2}$/i.test(key.trim()) ? key.trim().toUpperCase() : key.trim() || '+'))
    .join('+');

/** Does it in the browser. A `done` does nothing. */
export async function performAction(page: Page, action: ScreenAction, signal?: AbortSignal): Promise<void> {
  const { mouse, keyboard } = page;
  switch (action.type) {
    case 'click':
      return mouse.click(action.x, action.y, { button: action.button ?? 'left' });
    case 'double_click':
      return mouse.dblclick(action.x, action.y);
    case 'type_text':
      if (action.x !== undefined && action.y !== undefined) await mouse.click(action.x, action.y);
      if (action.replace) await keyboard.press('ControlOrMeta+A');
      if (action.text.length > MAX_TYPED_LENGTH) return keyboard.insertText(action.text);
      return keyboard.type(action.text);
    case 'key_press':
      return keyboard.press(chordOf(action.keys));
    case 'scroll': {
      if (action.x !== undefined && action.y !== undefined) await mouse.move(action.x, action.y);
      const far = action.amount * NOTCH * (action.direction === 'up' || action.direction === 'left' ? -1 : 1);
      return action.direction === 'up' || action.direction === 'down' ? mouse.wheel(0, far) : mouse.wheel(far, 0);
    }
    case 'drag':
      await mouse.move(action.x, action.y);
      await mouse.down();
      await mouse.move(action.end_x, action.end_y, { steps: 8 });
      return mouse.up();
    case 'wait':
      return pause(Math.min(action.seconds, MAX_WAIT) * 1000, signal);
    case 'done':
      return;
  }
}
