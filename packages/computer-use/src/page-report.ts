import type { Page } from 'playwright-core';
import { PAGE_SCRIPT } from './page-script.ts';
import { TooSlow, within } from './within.ts';

/** A field that takes text, or a list to choose from. */
export interface Field {
  /** What stands beside it for everybody to read. */
  label: string;
  /** What only assistive technology is told. */
  accessible: string;
  name: string;
  placeholder: string;
  id: string;
  /** As the page types it: text, email, password, textarea, select-one… */
  type: string;
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
  /** A frame of another site, or something else that cannot be looked into. */
  opaque: boolean;
  /** It has the focus. */
  focused: boolean;
  field: Field | null;
  /** What lies at the point where nothing reacts, in its own words. */
  cover: string;
}

/** What pressing something would do, as far as the page around it tells. */
export interface AboutButton {
  /** Its name, the headings, the form, the address that it leads to. */
  says: string;
  /** As the page declares it; empty where it does not. */
  language: string;
  /** Why it should not be pressed yet; empty where nothing speaks against it. */
  blocked: string;
}

/** What Return would press now. */
export interface ReturnKey extends AboutButton {
  /** A field has the focus, so that Return presses the form's default button. */
  inField: boolean;
  /** The name of what is pressed; empty when the form has no button. */
  name: string;
  /** It is what the proposal is aimed at. */
  aimed: boolean;
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
  /** The focus is in something that cannot be looked into. */
  hiddenFocus: boolean;
  /** What lies at the point that was asked for. */
  target: Target | null;
  /** What Return would press; null when that is nothing, or not known. Only with a point. */
  returns: ReturnKey | null;
  /** The button that sends off the focused field's form, else the page's only form. */
  submit: ({ x: number; y: number; name: string; form: number } & AboutButton) | null;
  /**
   * It asks whether a person is there, by its frames or its title and by having little else to say.
   */
  wall: boolean;
  /** Where secrets are shown: x, y, width, height. */
  passwords: Box[];
  /** The beginning of what can be read on it. */
  text: string;
  /** A digest of all that is written and filled in, also out of sight. */
  dom: number;
}

/** x, y, width, height. */
export type Box = [number, number, number, number];

/** How long a page may take to answer, in milliseconds. */
const ANSWER_TIMEOUT = 8000;
const MAX_ATTEMPTS = 4;
const LEFT = /context was destroyed|navigat|Cannot find context|Frame was detached/i;

/**
 * Asks the page about itself, and about what lies at a point. Fields with a name or id of `hide`
 * count as secret.
 */
export async function readPage(
  page: Page,
  point: { x: number; y: number } | null,
  hide: readonly string[] = [],
): Promise<PageReport> {
  for (let attempt = 1; ; attempt++) {
    try {
      const asked = page.evaluate(
        `(${PAGE_SCRIPT})(${JSON.stringify(point)}, ${JSON.stringify(hide)})`,
      ) as Promise<PageReport>;
      return await within(ANSWER_TIMEOUT, asked, 'the page does not answer');
    } catch (error) {
      // A page that is being left answers no more, or its answer is lost; the next one will.
      const again =
        error instanceof TooSlow
          ? attempt === 1
          : attempt < MAX_ATTEMPTS && LEFT.test((error as Error).message);
      if (!again || page.isClosed()) throw error;
      await page.waitForLoadState('domcontentloaded', { timeout: ANSWER_TIMEOUT }).catch(() => {});
    }
  }
}
