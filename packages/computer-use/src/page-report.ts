import type { Page } from 'playwright-core';
import { PAGE_SCRIPT } from './page-script.ts';
import { TooSlow, within } from './within.ts';

/** A text field or a select element. */
export interface Field {
  /** The visible label. */
  label: string;
  /** The accessible name, if it is not visible. */
  accessible: string;
  name: string;
  placeholder: string;
  id: string;
  /** The type in the page: text, email, password, textarea, select-one… */
  type: string;
  /** Empty for passwords, whose text never leaves the page. */
  value: string;
  empty: boolean;
  /** Index of its form in the page; -1 if it has none. */
  form: number;
  /** Its middle. */
  x: number;
  y: number;
}

/** An element of the page, by its accessible name. */
export interface Target {
  role: string;
  name: string;
  /** It submits a form. */
  submits: boolean;
  /** It reacts to clicks, as far as the markup shows. */
  interactive: boolean;
  /** A frame of another site, or another element that cannot be inspected. */
  opaque: boolean;
  /** It has the focus. */
  focused: boolean;
  field: Field | null;
  /** The text of an inert element that covers the point. */
  cover: string;
}

/** A button's effect, as far as the surrounding page shows it. */
export interface AboutButton {
  /** Its name, the headings, the form, and the address it leads to. */
  says: string;
  /** The declared language; may be empty. */
  language: string;
  /** Why it should not be pressed yet; empty if nothing speaks against it. */
  blocked: string;
}

/** The control that Return would activate now. */
export interface ReturnKey extends AboutButton {
  /** A field has the focus, so Return activates the form's default button. */
  inField: boolean;
  /** The name of the button; empty if the form has none. */
  name: string;
  /** It is the target of the proposal. */
  aimed: boolean;
}

/** The state of a page. */
export interface PageReport {
  url: string;
  viewport: { width: number; height: number };
  /** Pixels that the page can still scroll down. */
  below: number;
  scroll: string;
  /** The page is busy: it shows a progress bar or `aria-busy`, or is still loading. */
  busy: boolean;
  /** The focused field, if it takes text. */
  focused: Field | null;
  /** The focus is in an element that cannot be inspected. */
  hiddenFocus: boolean;
  /** The element at the requested point. */
  target: Target | null;
  /**
   * The control that Return would activate; null if there is none or it is unknown. Only set with a
   * point.
   */
  returns: ReturnKey | null;
  /** The submit button of the focused field's form, or of the page's only form. */
  submit: ({ x: number; y: number; name: string; form: number } & AboutButton) | null;
  /**
   * The page asks for proof of a human, judging by its frames or title and by having little other
   * content.
   */
  wall: boolean;
  /** The boxes of secret fields: x, y, width, height. */
  passwords: Box[];
  /** The beginning of its text. */
  text: string;
  /** A digest of all text and field values, including those out of sight. */
  dom: number;
}

/** x, y, width, height. */
export type Box = [number, number, number, number];

/** Time limit for the page's answer, in milliseconds. */
const ANSWER_TIMEOUT = 8000;
const MAX_ATTEMPTS = 4;
const LEFT = /context was destroyed|navigat|Cannot find context|Frame was detached/i;

/**
 * Inspects the page and the element at a point. Fields with a name or id in `hide` count as secret.
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
      // During navigation the answer can be lost; the next page answers.
      const again =
        error instanceof TooSlow
          ? attempt === 1
          : attempt < MAX_ATTEMPTS && LEFT.test((error as Error).message);
      if (!again || page.isClosed()) throw error;
      await page.waitForLoadState('domcontentloaded', { timeout: ANSWER_TIMEOUT }).catch(() => {});
    }
  }
}
