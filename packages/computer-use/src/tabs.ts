import type { Dialog, Page } from 'playwright-core';
import type { BrowserTab } from './brain.ts';
import { pause } from './pause.ts';
import { within } from './within.ts';

/** The address of a browser's own error page. */
const ERROR_PAGE = /^chrome-error:/;
/** A page reports its end a moment before the browser does. */
const CLOSE_TIMEOUT = 2000;
const TITLE_TIMEOUT = 1000;

/** Follows a page through dialogs, new tabs, crashes and closing. */
export class Tabs {
  /** Open pages; the last one is in front. */
  readonly #open: Page[] = [];
  readonly #inOrder: Page[] = [];
  readonly #numbers = new WeakMap<Page, number>();
  #opened = 0;
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

  /** Why there is no page any more; empty while there is one. */
  get lost(): string {
    if (this.#lost) return this.#lost;
    return !this.page.isClosed() && ERROR_PAGE.test(this.page.url())
      ? 'The browser could not show the page.'
      : '';
  }

  /** Whether another tab remains after this one was closed. */
  async left(page: Page): Promise<boolean> {
    for (
      let waited = 0;
      page.isClosed() && this.page === page && !this.#lost && waited < CLOSE_TIMEOUT;
      waited += 20
    )
      await pause(20);
    return page.isClosed() && this.page !== page && !this.#lost;
  }

  /** Brings a tab to the front, by its number in opening order. */
  async bring(tab: number): Promise<void> {
    const wanted = this.#inOrder[tab];
    if (!wanted)
      throw new Error(`There is no tab ${tab}: expected 0 to ${this.#inOrder.length - 1}`);
    this.#open.splice(this.#open.indexOf(wanted), 1);
    this.#open.push(wanted);
    await wanted.bringToFront();
  }

  /** All open tabs. */
  listed(): Promise<BrowserTab[]> {
    return Promise.all(
      this.#inOrder.map(async (page) => ({
        id: this.#numbers.get(page)!,
        title: await within(TITLE_TIMEOUT, page.title(), 'the tab did not answer').catch(() => ''),
        url: page.url(),
        isShown: page === this.page,
      })),
    );
  }

  /** Sentences about events since the last call. */
  takeNotices(): string[] {
    const taken = this.#notices;
    this.#notices = [];
    return taken;
  }

  /** Removes the listeners. The pages stay open. */
  release(): void {
    for (const letGo of this.#letGo.splice(0)) letGo();
  }

  #follow(page: Page): void {
    this.#open.push(page);
    this.#inOrder.push(page);
    this.#numbers.set(page, this.#opened++);
    const dialog = (shown: Dialog): void => {
      // Dialogs are never accepted automatically, except leaving a page, which the click asked for.
      const leaving = shown.type() === 'beforeunload';
      this.#notices.push(
        `The page showed a dialog (${shown.type()}): "${shown.message().slice(0, 200)}". It was ${leaving ? 'accepted' : 'dismissed'}.`,
      );
      (leaving ? shown.accept() : shown.dismiss()).catch(() => {});
    };
    const popup = (opened: Page): void => {
      this.#follow(opened);
      this.#notices.push(
        `A new tab was opened (number ${this.#inOrder.length - 1}, counted from 0); the screen shows it now.`,
      );
    };
    const crash = (): void => {
      if (this.page === page) this.#lost = 'The page crashed.';
    };
    const close = (): void => {
      if (this.#open.length === 1) this.#lost ||= 'The page was closed.';
      else {
        this.#open.splice(this.#open.indexOf(page), 1);
        this.#inOrder.splice(this.#inOrder.indexOf(page), 1);
        this.#notices.push('The tab was closed; the screen shows the one before it.');
      }
    };
    page.on('dialog', dialog).on('popup', popup).on('crash', crash).on('close', close);
    this.#letGo.push(
      () =>
        void page.off('dialog', dialog).off('popup', popup).off('crash', crash).off('close', close),
    );
  }
}
