import type { ImportMoment } from '@unrut/reading/importer';

/** Emits one event of a response; the first event carries the response's cost. */
type Tell = (cost: Pick<ImportMoment, 'cost'>) => void;

/** More than any response has; beyond it, the source does not mark the ends of responses. */
const MAX = 256;

/**
 * Delays the events of a response and its results, for sources that report its cost afterwards. A
 * response is over when the model speaks again after an answer.
 */
export function heldResponse() {
  let held: Tell[] = [];
  let tokens: number | undefined;
  let isAnswered = false;
  let number = 0;

  function release(): void {
    isAnswered = false;
    // Cost without events is added to the next response.
    if (held.length === 0) return;
    const telling = held;
    held = [];
    telling.forEach((tell, i) => {
      tell(i === 0 && tokens !== undefined ? { cost: { tokens } } : {});
    });
    tokens = undefined;
    number++;
  }

  return {
    /** Adds a text, thought or call of the model. */
    model(tell: (cost: Pick<ImportMoment, 'cost'>, batch: string) => void): void {
      if (isAnswered || held.length >= MAX) release();
      const batch = `response ${number}`;
      held.push((cost) => tell(cost, batch));
    },
    /** Adds a result. */
    answer(tell: Tell): void {
      held.push(tell);
      isAnswered = true;
    },
    spent(cost: ImportMoment['cost']): void {
      if (cost?.tokens === undefined) return;
      tokens = (tokens ?? 0) + cost.tokens;
      isAnswered = true;
    },
    release,
  };
}
