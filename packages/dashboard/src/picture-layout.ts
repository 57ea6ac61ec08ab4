import type { SessionLoop } from '@unrut/server/api/answers';

export type Picture = SessionLoop['picture'];
export type PictureStep = Picture['steps'][number];

/** The drawn part of a picture: as many steps as fit. */
export interface Fitted {
  steps: readonly PictureStep[];
  /** Steps that are left out in the middle, and before which of `steps`. */
  left: number;
  before: number;
}

/** Leaves out steps in the middle, so that no more than `most` are drawn. */
export function fitted({ steps, left }: Picture, most: number): Fitted {
  if (steps.length <= most) return { steps, left: left.steps, before: left.before };
  const last = Math.floor(most / 3);
  const first = Math.max(1, most - last);
  return {
    steps: [...steps.slice(0, first), ...steps.slice(steps.length - last)],
    left: left.steps + steps.length - first - last,
    before: first,
  };
}

/** Stretches of steps that lie in the loop, as indices: the brackets above the picture. */
export function brackets({ steps, left, before }: Fitted): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (const [i, { inLoop }] of steps.entries()) {
    const open = found.at(-1);
    const goesOn = open?.to === i - 1 && (left === 0 || i !== before || steps[i - 1]!.inLoop);
    if (inLoop && open && goesOn) open.to = i;
    else if (inLoop) found.push({ from: i, to: i });
  }
  return found;
}

/**
 * For each step, the index of the previous one in its lane if the answer was equal; otherwise -1.
 */
export function joins({ steps }: Pick<Fitted, 'steps'>): number[] {
  const last = new Map<number, number>();
  return steps.map(({ lane, same, letter }, i) => {
    const before = last.get(lane) ?? -1;
    // A blocked call has no answer: it ends the line.
    if (letter !== 'b') last.set(lane, i);
    return same && lane >= 0 ? before : -1;
  });
}

interface Label {
  x: number;
  text: string;
  /** Labels with more weight are placed first. Default: 0. */
  weight?: number;
}

/** Which labels can be written without touching each other. */
export function labelled(labels: readonly Label[], perLetter: number): boolean[] {
  const written: { from: number; to: number }[] = [];
  const isShown = labels.map(() => false);
  const order = labels.map((label, i) => ({ ...label, i }));
  for (const { x, text, i } of order.sort((a, b) => (b.weight ?? 0) - (a.weight ?? 0))) {
    const half = ((text.length + 1) * perLetter) / 2;
    const [from, to] = [x - half, x + half];
    if (text === '' || written.some((each) => from < each.to && each.from < to)) continue;
    written.push({ from, to });
    isShown[i] = true;
  }
  return isShown;
}
