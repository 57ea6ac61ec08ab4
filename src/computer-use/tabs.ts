import type { Dialog, Page } from 'playwright-core';

/** An address that a browser shows when it could not show the page. */
const ERROR_PAGE = /^chrome-error:/;

/** Follows a page through what pages do: dialogs, new tabs, crashes, being closed. */
export class Tabs {
  readonly #open: Page[] = [];
  readonly #letGo: (() => void)[] = [];
  #notices: string[] = [];
  #lost = '';

  constructor(page: Page) {
    this.#follow(page);
  }

  /** The tab in front. */
  get page(): Page {
    return this.#open.at(-1)!;
  }

  /** Why there is nothing to look at any more; empty while there is. */
  get lost(): string {
    if (this.#lost) return this.#lost;
    return !this.page.isClosed() && ERROR_PAGE.test(this.page.url()) ? 'The browser could not show the page.' : '';
  }

  /** What happened since this was last asked, in sentences. */
  takeNotices(): string[] {
    const taken = this.#notices;
    this.#notices = [];
    return taken;
  }

  /** Stops listening. The pages stay open. */
  release(): void {
    for (const letGo of this.#letGo.splice(0)) letGo();
  }

  #follow(page: Page): void {
    this.#open.push(page);
    const dialog = (shown: Dialog): void => {
      // Nothing is ever agreed to by itself; leaving a page is what the click was for.
      const leaving = shown.type() === 'beforeunload';
      this.#notices.push(
        `The page showed a dialog (${shown.type()}): "${shown.message().slice(0, 200)}". It was ${leaving ? 'accepted' : 'dismissed'}.`,
      );
      (leaving ? shown.accept() : shown.dismiss()).catch(() => {});
    };
    const popup = (opened: Page): void => {
      this.#notices.push('A new tab was opened; the screen shows it now.');
      this.#follow(opened);
    };
    const crash = (): void => {
      this.#lost = 'The page crashed.';
    };
    const close = (): void => {
      if (this.#open.length === 1) this.#lost ||= 'The page was closed.';
      else {
        this.#open.splice(this.#open.indexOf(page), 1);
        this.#notices.push('The tab was closed; the screen shows the one before it.');
      }
    };
    page.on('dialog', dialog).on('popup', popup).on('crash', crash).on('close', close);
    this.#letGo.push(() => void page.off('dialog', dialog).off('popup', popup).off('crash', crash).off('close', close));
  }
}
