import type { Download, Page, Request } from 'playwright-core';

/** Requests that a user would wait for; images, fonts and beacons are not. */
const AWAITED = new Set(['document', 'xhr', 'fetch']);
/** A request that is open for longer is permanent: a long poll or a stream. */
const MAX_AGE = 15_000;

/** Tracks a page's open requests and downloads. */
export class Traffic {
  readonly #open = new Map<Request, number>();
  readonly #release: () => void;
  #downloads: string[] = [];
  /** Number of such requests so far. */
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

  /** Whether a request is open that was sent within this time. */
  isOpen(age = MAX_AGE): boolean {
    const now = Date.now();
    return [...this.#open.values()].some((began) => now - began < age);
  }

  /** Names of the files downloaded since the last call. */
  takeDownloads(): string[] {
    return this.#downloads.splice(0);
  }

  /** Removes the listeners. */
  release(): void {
    this.#release();
  }
}
