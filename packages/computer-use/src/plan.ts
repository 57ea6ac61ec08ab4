import type { PlanValue } from './match-field.ts';
import type { PageReport } from './page-report.ts';

/** A visible sign: the page's address or text contains this. */
export interface Sign {
  url?: string;
  text?: string;
}

/**
 * A step of the plan. It is done when its sign was seen, or, without a sign, when the brain works
 * on a later step.
 */
export interface PlanStep extends Sign {
  name: string;
}

/** The goal of the run, as far as it is known in advance. */
export interface ScreenPlan {
  /** Values to type, by field label. */
  values?: readonly PlanValue[];
  steps?: readonly PlanStep[];
  /** Words that the summary of a success must contain. */
  required?: readonly string[];
  /** The sign that everything is done. */
  until?: Sign;
}

export function isSeen({ url, text }: Sign, page: Pick<PageReport, 'url' | 'text'>): boolean {
  if (url === undefined && text === undefined) return false;
  return (
    (url === undefined || page.url.includes(url)) &&
    (text === undefined || page.text.toLowerCase().includes(text.toLowerCase()))
  );
}

/** Tracks which steps of a plan are done. */
export class PlanProgress {
  readonly #steps: readonly PlanStep[];
  readonly #seen = new Set<number>();
  #at = 0;

  constructor(steps: readonly PlanStep[] = []) {
    this.#steps = steps;
  }

  /** Index of the current step. */
  get at(): number {
    return this.#at;
  }

  /** Updates the progress with the page after an action. */
  look(page: Pick<PageReport, 'url' | 'text'>): void {
    for (const [i, step] of this.#steps.entries()) if (isSeen(step, page)) this.#seen.add(i);
    while (this.#seen.has(this.#at)) this.#at++;
  }

  /** Updates the progress with the step that the brain claims to work on. */
  claim(step: number | undefined): void {
    if (step !== undefined && Number.isInteger(step) && step > this.#at) this.#at = step;
  }

  /** Names of the unfinished steps when the brain claims to be done. */
  missing(claimed: number | undefined): string[] {
    const worked = Math.max(this.#at, claimed ?? 0);
    return this.#steps
      .filter((step, i) => !this.#seen.has(i) && (hasSign(step) || i > worked))
      .map(({ name }) => name);
  }
}

const hasSign = ({ url, text }: Sign): boolean => url !== undefined || text !== undefined;
