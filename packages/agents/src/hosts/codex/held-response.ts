import type { ImportMoment } from '@unrut/reading/importer';

/**
 * Tells one event of a response; the moment has what the response cost, if this is its first event.
 */
type Tell = (cost: Pick<ImportMoment, 'cost'>) => void;

/** More than any response has; beyond it, the source does not say where responses end. */
const MAX = 256;

/**
 * Holds back the events of one response and its results, for sources that report the cost of a
 * response only after it. A response is over when the model speaks again after it was answered.
 */
export function heldResponse() {
  let held: Tell[] = [];
  let tokens: number | undefined;
  let isAnswered = false;
  let number = 0;

  function release(): void {
    isAnswered = false;
    // What nothing was told of is paid with the next.
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
    /** Something that the model said, thought or called. */
    model(tell: (cost: Pick<ImportMoment, 'cost'>, batch: string) => void): void {
      if (isAnswered || held.length >= MAX) release();
      const batch = `response ${number}`;
      held.push((cost) => tell(cost, batch));
    },
    /** Something that came back for it. */
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
