import type { Download, Page, Request } from 'playwright-core';

/** What a person waits for. Pictures, fonts and beacons are not. */
const AWAITED = new Set(['document', 'xhr', 'fetch']);
/** A request that is open for longer is one that is always open: a long poll, a stream. */
const MAX_AGE = 15_000;

/**
 * What a page has asked its server for and not yet been answered, and what it has let the browser
 * download.
 */
export class Traffic {
  readonly #open = new Map<Request, number>();
  readonly #release: () => void;
  #downloads: string[] = [];
  /** How many requests a person would wait for were made so far. */
  made = 0;

  constructor(page: Page) {
    const begin = (request: Request): void => {
      if (!AWAITED.has(request.resourceType())) return;
      this.made++;
      this.#open.set(request, Date.now());
    };
    const end = (request: Request): void => void this.#open.delete(request);
    const download = (begun: Download): void =>
      void this.#downloads.push(begun.suggestedFilename());
    page
      .on('request', begin)
      .on('requestfinished', end)
      .on('requestfailed', end)
      .on('download', download);
    this.#release = () =>
      void page
        .off('request', begin)
        .off('requestfinished', end)
        .off('requestfailed', end)
        .off('download', download);
  }

  /** Something is still to come, asked for no longer ago than this. */
  isOpen(age = MAX_AGE): boolean {
    const now = Date.now();
    return [...this.#open.values()].some((began) => now - began < age);
  }

  /** Names of the files since this was last asked. */
  takeDownloads(): string[] {
    return this.#downloads.splice(0);
  }

  /** Stops listening. */
  release(): void {
    this.#release();
  }
}
