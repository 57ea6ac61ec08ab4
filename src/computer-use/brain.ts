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
  /** What the runner has to say since the last proposal: what was done instead, what had no effect, a nudge. */
  feedback: string;
  /** Labels of the values that are still to be typed. */
  pending: readonly string[];
  signal?: AbortSignal;
}

/** A model that looks at a screen and proposes one action at a time. */
export interface Brain {
  propose(view: View): Promise<Proposal>;
}
