import type { Proposal } from './action.ts';

/** What a brain is shown. */
export interface View {
  task: string;
  /** The screen as PNG. */
  screenshot: Uint8Array;
  viewport: { width: number; height: number };
  url: string;
  /** 0-based. */
  step: number;
  /**
   * What the runner has to say since the last proposal: what was done instead, what had no effect,
   * a nudge.
   */
  feedback: string;
  /** Labels of the values that are still to be typed. */
  pending: readonly string[];
  /** The open tabs in the order of their opening; one of them is shown. */
  tabs?: readonly BrowserTab[];
  /** The beginning of what can be read on the page. */
  text?: string;
  signal?: AbortSignal;
}

export interface BrowserTab {
  /** Stays the same as long as the tab is open. */
  id: number;
  title: string;
  url: string;
  isShown: boolean;
}

/**
 * What a model was asked so far: how often, and for how many tokens, without those that were read
 * from a cache.
 */
export interface Spent {
  requests: number;
  tokens: number;
}

/** A model that looks at a screen and proposes one action at a time. */
export interface Brain {
  propose(view: View): Promise<Proposal>;
  readonly spent?: Spent;
}
