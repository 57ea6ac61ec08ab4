import type { PlanValue } from './match-field.ts';
import type { PageReport } from './page-report.ts';

/** Something that can be seen on the page: its address or its text contains this. */
export interface Sign {
  url?: string;
  text?: string;
}

/**
 * A step of the plan. With a sign it is done when the sign was seen, else when the brain works on a
 * later one.
 */
export interface PlanStep extends Sign {
  name: string;
}

/** What the run is to achieve, as far as it is known beforehand. */
export interface ScreenPlan {
  /** Values to type, by the label of their fields. */
  values?: readonly PlanValue[];
  steps?: readonly PlanStep[];
  /** Words that the summary of a success must name. */
  required?: readonly string[];
  /** The environment says by itself that all is done. */
  until?: Sign;
}

export function isSeen({ url, text }: Sign, page: Pick<PageReport, 'url' | 'text'>): boolean {
  if (url === undefined && text === undefined) return false;
  return (
    (url === undefined || page.url.includes(url)) &&
    (text === undefined || page.text.toLowerCase().includes(text.toLowerCase()))
  );
}

/** Follows which steps of a plan are done. */
export class PlanProgress {
  readonly #steps: readonly PlanStep[];
  readonly #seen = new Set<number>();
  #at = 0;

  constructor(steps: readonly PlanStep[] = []) {
    this.#steps = steps;
  }

  /** The index of the step that is worked on. */
  get at(): number {
    return this.#at;
  }

  /** The page after an action. */
  look(page: Pick<PageReport, 'url' | 'text'>): void {
    for (const [i, step] of this.#steps.entries()) if (isSeen(step, page)) this.#seen.add(i);
    while (this.#seen.has(this.#at)) this.#at++;
  }

  /** What the brain says that it works on. */
  claim(step: number | undefined): void {
    if (step !== undefined && Number.isInteger(step) && step > this.#at) this.#at = step;
  }

  /** Names of the steps that are not done, when the brain says that all is. */
  missing(claimed: number | undefined): string[] {
    const worked = Math.max(this.#at, claimed ?? 0);
    return this.#steps
      .filter((step, i) => !this.#seen.has(i) && (hasSign(step) || i > worked))
      .map(({ name }) => name);
  }
}

const hasSign = ({ url, text }: Sign): boolean => url !== undefined || text !== undefined;
