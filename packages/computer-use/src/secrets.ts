import type { ElementHandle, Locator, Page } from 'playwright-core';
import { isSecret, type PlanValue } from './match-field.ts';
import type { Box, Field } from './page-report.ts';
import { FOCUSED } from './page-script.ts';

const PASSWORDS = 'input[type=password]';
const MAX_TEXTS = 5;

/**
 * Tracks where secrets were typed, so that no screenshot shows them, whatever the page does with
 * the field later.
 */
export class Secrets {
  readonly #texts: Set<string>;
  readonly #names = new Set<string>();
  #typed: ElementHandle[] = [];

  constructor(values: readonly PlanValue[] = []) {
    this.#texts = new Set(
      values.filter((entry) => isSecret(entry) && entry.value !== '').map(({ value }) => value),
    );
  }

  /** Names and ids of these fields, in case the page replaces a field. */
  get names(): string[] {
    return [...this.#names];
  }

  /** Records that a text was typed, and into which field if the page shows it. */
  async noteTyped(page: Page, text: string, field: Field | null): Promise<void> {
    if (field?.type !== 'password' && !this.#texts.has(text)) return;
    if (text !== '') this.#texts.add(text);
    for (const name of [field?.name, field?.id]) if (name) this.#names.add(name);
    const handle = await page.evaluateHandle(`(${FOCUSED})()`).catch(() => null);
    const element = handle?.asElement();
    if (element) this.#typed.push(element);
  }

  /** Boxes of visible secrets, besides the password fields that the page declares. */
  async boxes(page: Page, text: string): Promise<Box[]> {
    const found: Box[] = [];
    const add = (box: { x: number; y: number; width: number; height: number } | null): void => {
      if (box) found.push([box.x, box.y, box.width, box.height]);
    };
    const addAll = async (shown: Locator, most = Number.POSITIVE_INFINITY): Promise<void> => {
      const elements = await shown.all().catch(() => []);
      for (const element of elements.slice(0, most))
        add(await element.boundingBox({ timeout: 500 }).catch(() => null));
    };
    const kept: ElementHandle[] = [];
    for (const element of this.#typed) {
      // After navigation, the elements are gone.
      const box = await element.boundingBox().catch(() => undefined);
      if (box === undefined) continue;
      kept.push(element);
      add(box);
    }
    this.#typed = kept;
    const [main, ...others] = page.frames();
    for (const frame of others) {
      if (frame.parentFrame() === main && sameOrigin(frame.url(), page.url())) continue;
      await addAll(frame.locator(PASSWORDS));
    }
    for (const secret of this.#texts) {
      if (secret.length < 4 || !text.includes(secret)) continue;
      await addAll(page.getByText(secret), MAX_TEXTS);
    }
    return found;
  }
}

const sameOrigin = (one: string, other: string): boolean =>
  one.startsWith('about:') ||
  (URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin);
