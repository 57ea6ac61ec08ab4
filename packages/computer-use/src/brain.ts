import type { Proposal } from './action.ts';

/** What a brain sees. */
export interface View {
  task: string;
  /** The screen as PNG. */
  screenshot: Uint8Array;
  viewport: { width: number; height: number };
  url: string;
  /** 0-based. */
  step: number;
  /**
   * Messages of the runner since the last proposal: substitutions, actions without effect, nudges.
   */
  feedback: string;
  /** Labels of the values that are not typed yet. */
  pending: readonly string[];
  /** The open tabs in the order in which they were opened. */
  tabs?: readonly BrowserTab[];
  /** The beginning of the page's text. */
  text?: string;
  signal?: AbortSignal;
}

export interface BrowserTab {
  /** Constant while the tab is open. */
  id: number;
  title: string;
  url: string;
  isShown: boolean;
}

/** The model's usage so far: requests and tokens, without tokens read from a cache. */
export interface Spent {
  requests: number;
  tokens: number;
}

/** A model that looks at a screen and proposes one action at a time. */
export interface Brain {
  propose(view: View): Promise<Proposal>;
  readonly spent?: Spent;
}
