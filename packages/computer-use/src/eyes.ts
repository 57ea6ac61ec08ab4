import type { Page } from 'playwright-core';
import {
  changedTiles,
  differences,
  digestOf,
  type Frame,
  isEqual,
  nextTo,
  readFrame,
  type Tiles,
} from './frame.ts';
import { type PageReport, readPage } from './page-report.ts';
import { pause } from './pause.ts';
import { decodePng } from './png.ts';
import type { Traffic } from './traffic.ts';
import { TooSlow, within } from './within.ts';

/** The visible state at one moment. */
export interface Look {
  png: Uint8Array;
  frame: Frame;
  page: PageReport;
  /** Digest of everything shown, except areas that change without an action. */
  detail: string;
  /** The screen stopped changing within the time limit. */
  settled: boolean;
}

/** How long to watch a page, in milliseconds. */
export interface Patience {
  /** A screen without changes for this long is settled. Default: 120. */
  still: number;
  /** Maximum time to wait for a settled screen. Default: 3000. */
  most: number;
  /**
   * Milliseconds to watch a new page for areas that change without an action. Default: 1200, a tick
   * of a clock.
   */
  idle: number;
  /**
   * A page that changed without an action is watched for this long for another change. Default:
   * 6000; slide shows turn every three to five seconds.
   */
  turn: number;
}

export const TIMEOUT_MS: Patience = { still: 120, most: 3000, idle: 1200, turn: 6000 };

const SCREENSHOT_TIMEOUT = 8000;
const MAX_SHOTS = 3;
/** Number of retries if a page returns no screenshot in time. */
const MAX_LATE_SHOTS = 2;
/** If more than this share of the tiles changes without an action, the page shows nothing else. */
const ALL_MOVES = 0.9;
/** A clock has few digits; a larger adjacent area is something else. */
const MAX_GROWN = 8;
/** Share of tiles that may still move on a settled screen. */
const SETTLED_SHARE = 0.02;
/** A page that reports to be busy is believed for this many looks. */
const MAX_BUSY = 10;

/** Takes looks at a page, and learns which areas change without an action. */
export class Eyes {
  readonly #patience: Patience;
  /** Tiles that moved before the first action: a clock, a banner, a video. */
  #clocks: Set<number> = new Set();
  /** Tiles that moved by themselves later, such as a spinner. */
  #restless: Set<number> = new Set();
  /** The text changes without an action here, so it is no evidence. */
  #rewrites = false;
  #place = '';
  #scroll = '';
  #busy = 0;
  #last: Shot | undefined;
  /** The last look as it was reported. */
  #told: { frame: Frame; dom: number; digest: string } | undefined;
  /** The page on which nothing turned while it was watched. */
  #calm = '';

  constructor(patience: Partial<Patience> = {}) {
    this.#patience = { ...TIMEOUT_MS, ...patience };
  }

  /** Tiles that moved before the first action on the page. */
  get clocks(): Tiles {
    return this.#clocks;
  }

  /** All tiles known to move by themselves. */
  get noise(): Tiles {
    return new Set([...this.#clocks, ...this.#restless]);
  }

  /**
   * Waits until the page is settled, and takes a look. A new page is watched longer. `hide` lists
   * the names of secret fields.
   */
  async look(page: Page, traffic: Traffic, hide: readonly string[] = []): Promise<Look> {
    await page
      .waitForLoadState('domcontentloaded', { timeout: this.#patience.most })
      .catch(() => {});
    const first = await this.#settle(page, traffic);
    let report = await readPage(page, null, hide);
    const place = report.url.split('#', 1)[0]!;
    if (place !== this.#place || report.scroll !== this.#scroll) {
      this.#clocks = new Set();
      this.#restless = new Set();
      this.#busy = 0;
    }
    const isNew = place !== this.#place;
    this.#place = place;
    this.#scroll = report.scroll;
    let last = first;
    if (isNew) this.#rewrites = false;
    if (isNew && this.#patience.idle > 0 && !report.busy) {
      const { moved, shot } = await this.#watch(page, first);
      this.#clocks = moved;
      const later = await readPage(page, null, hide);
      this.#rewrites = later.dom !== report.dom;
      report = later;
      last = {
        ...shot,
        settled: first.settled || moved.size < ALL_MOVES * shot.frame.tiles.length,
      };
    } else if (this.#last) this.#grow(this.#last, first);
    this.#last = last;
    report.busy ||= traffic.isOpen();
    return { ...last, page: report, detail: this.#detail(last.frame, report) };
  }

  /**
   * Watches a page without acting. Areas that change meanwhile are excluded from `detail` from here
   * on.
   */
  async watchIdle(page: Page, look: Look): Promise<Look> {
    const { moved, shot } = await this.#watch(page, look);
    for (const tile of moved) this.#restless.add(tile);
    const { dom } = await readPage(page, null);
    if (dom !== look.page.dom) this.#rewrites = true;
    return {
      ...look,
      ...shot,
      page: { ...look.page, dom },
      detail: this.#detail(shot.frame, look.page),
    };
  }

  /**
   * Watches a page without an action since the last look. One change may be a late response to the
   * last action; areas with a second change, after a pause, are excluded from `detail` from here
   * on.
   */
  async watchTurns(page: Page, look: Look): Promise<void> {
    const { turn, still } = this.#patience;
    if (turn === 0 || this.#calm === this.#place) return;
    let shot = await shoot(page, look);
    const moved = this.#changedSince(look, shot);
    if (moved.size === 0) return;
    let heldStill = false;
    for (const end = Date.now() + turn; Date.now() < end; ) {
      await pause(still);
      const next = await shoot(page, shot);
      const changed = this.#changedSince(shot, next);
      shot = next;
      const again = heldStill && [...changed].some((tile) => moved.has(tile));
      heldStill ||= changed.size === 0;
      for (const tile of changed) moved.add(tile);
      if (!again) continue;
      for (const tile of nextTo(moved, shot.frame)) this.#restless.add(tile);
      this.#rewrites ||= (await readPage(page, null)).dom !== look.page.dom;
      return;
    }
    this.#calm = this.#place;
  }

  /** Whether two looks show the same text, as far as text is evidence here. */
  isSameText(one: number, other: number): boolean {
    return this.#rewrites || one === other;
  }

  /**
   * Changes next to an excluded area belong to it: the minutes of a clock, the next line of a
   * ticker.
   */
  #grow(before: Shot, after: Shot): void {
    const noise = this.noise;
    if (noise.size === 0) return;
    const near = nextTo(noise, after.frame);
    const changed = this.#changedSince(before, after);
    if (changed.size <= MAX_GROWN)
      for (const tile of changed) if (near.has(tile)) this.#clocks.add(tile);
  }

  #changedSince(before: Shot, after: Shot): Set<number> {
    const noise = this.noise;
    return new Set(
      [...(differences(before.frame, after.frame) ?? [])].filter((tile) => !noise.has(tile)),
    );
  }

  /** Returns the digest of the last look if only known motion differs. */
  #digest(frame: Frame, dom: number): string {
    const noise = this.noise;
    const last = this.#told;
    const isSame = last && isEqual(last.frame, frame, noise) && this.isSameText(last.dom, dom);
    const digest = isSame
      ? last.digest
      : `${digestOf(frame, noise)}${this.#rewrites ? '' : dom.toString(36)}`;
    this.#told = { frame, dom, digest };
    return digest;
  }

  /**
   * Being busy is progress: a busy page counts as a new state each time, for a limited number of
   * looks.
   */
  #detail(frame: Frame, { busy, dom }: PageReport): string {
    const digest = this.#digest(frame, dom);
    if (!busy) this.#busy = 0;
    return busy && ++this.#busy <= MAX_BUSY ? `${digest} working ${this.#busy}` : digest;
  }

  async #watch(page: Page, from: Shot): Promise<{ moved: Set<number>; shot: Shot }> {
    const moved = new Set<number>();
    let shot = from;
    for (let i = 0; i < 2; i++) {
      await pause(this.#patience.idle / 2);
      const next = await shoot(page, shot);
      for (const tile of differences(shot.frame, next.frame) ?? []) moved.add(tile);
      shot = next;
    }
    return { moved, shot };
  }

  /** Waits for a settled screen and for the responses to the action's requests. */
  async #settle(page: Page, traffic: Traffic): Promise<Shot & { settled: boolean }> {
    const { still, most } = this.#patience;
    const end = Date.now() + most;
    let shot = await shoot(page, this.#last);
    for (;;) {
      await pause(still);
      const next = await shoot(page, shot);
      const noise = this.noise;
      const moving = changedTiles(shot.frame, next.frame, noise);
      shot = next;
      const { length } = shot.frame.tiles;
      const canSettle = noise.size < ALL_MOVES * length;
      if (moving === 0 && !traffic.isOpen(most)) return { ...shot, settled: canSettle };
      if (Date.now() >= end)
        return { ...shot, settled: canSettle && moving <= SETTLED_SHARE * length };
    }
  }
}

type Shot = Pick<Look, 'png' | 'frame'>;

async function shoot(page: Page, before?: Shot): Promise<Shot> {
  for (let attempt = 1; ; attempt++) {
    try {
      const taken = page.screenshot({
        type: 'png',
        scale: 'css',
        caret: 'hide',
        timeout: SCREENSHOT_TIMEOUT,
      });
      // A page with a busy script takes no screenshot, and ignores the timeout.
      const png = await within(SCREENSHOT_TIMEOUT + 1000, taken, 'no screenshot');
      // Equal screenshots have equal bytes, and most equal the previous one, so decoding can be
      // skipped.
      const frame =
        before && Buffer.compare(before.png, png) === 0
          ? before.frame
          : readFrame(await decodePng(png));
      return { png, frame };
    } catch (error) {
      // Between two pages there is no screen to capture.
      if (
        attempt === (error instanceof TooSlow ? MAX_LATE_SHOTS : MAX_SHOTS) ||
        page.isClosed() ||
        !/Unable to capture|Protocol error|Timeout|no screenshot/.test((error as Error).message)
      )
        throw error;
      await pause(100 * attempt);
    }
  }
}
