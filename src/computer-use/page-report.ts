import type { Page } from 'playwright-core';
import { PAGE_SCRIPT } from './page-script.ts';
import { TooSlow, within } from './within.ts';

/** A field that takes text, or a list to choose from. */
export interface Field {
  label: string;
  name: string;
  placeholder: string;
  id: string;
  /** As the page types it: text, email, password, textarea, select-one… */
  type: string;
  /** What `autocomplete` says that it is for. */
  purpose: string;
  /** Empty for passwords: their text never leaves the page. */
  value: string;
  empty: boolean;
  /** Which of the page's forms it is in; -1 for none. */
  form: number;
  /** Its middle. */
  x: number;
  y: number;
}

/** Something on the page, as assistive technology would name it. */
export interface Target {
  role: string;
  name: string;
  /** It sends a form off. */
  submits: boolean;
  /** It reacts to a click at all, as far as its markup tells. */
  interactive: boolean;
  field: Field | null;
  /** What the form around it is sent off with. */
  formSubmit: string;
}

/** What a page tells about itself. */
export interface PageReport {
  url: string;
  viewport: { width: number; height: number };
  /** Pixels that the page can still be scrolled down. */
  below: number;
  scroll: string;
  /** The page says that it is working: a progress bar, `aria-busy`, or it is still loading. */
  busy: boolean;
  /** The field that has the focus, if it takes text. */
  focused: Field | null;
  /** What lies at the point that was asked for. */
  target: Target | null;
  /** The button that sends off the focused field's form, else the page's only form. */
  submit: { x: number; y: number; name: string; form: number } | null;
  /** It asks whether a person is there, by its frames or its title and by having little else to say. */
  wall: boolean;
  /** Where passwords are shown: x, y, width, height. */
  passwords: [number, number, number, number][];
  /** The beginning of what can be read on it. */
  text: string;
}

/** How long a page may take to answer, in milliseconds. */
const ANSWER_TIMEOUT = 8000;
const MAX_ATTEMPTS = 4;
const LEFT = /context was destroyed|navigat|Cannot find context|Frame was detached/i;

/** Asks the page about itself, and about what lies at a point. */
export async function readPage(page: Page, point: { x: number; y: number } | null): Promise<PageReport> {
  for (let attempt = 1; ; attempt++) {
    try {
      const asked = page.evaluate(`(${PAGE_SCRIPT})(${JSON.stringify(point)})`) as Promise<PageReport>;
      return await within(ANSWER_TIMEOUT, asked, 'the page does not answer');
    } catch (error) {
      // A page that is being left answers no more, or its answer is lost; the next one will.
      const again = error instanceof TooSlow ? attempt === 1 : attempt < MAX_ATTEMPTS && LEFT.test((error as Error).message);
      if (!again || page.isClosed()) throw error;
      await page.waitForLoadState('domcontentloaded', { timeout: ANSWER_TIMEOUT }).catch(() => {});
    }
  }
}
