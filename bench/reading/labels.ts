import { contentOf } from '@unrut/engine/fingerprint';
import type { Recorded } from './results.ts';
import { type Sample, sampleOf } from './sample.ts';

/** One reader's judgement of a result. */
type Said = 'yes' | 'no' | 'unknown';

/** Two readers' independent judgements of a result. The text is not stored. */
export interface Labelled {
  id: string;
  a: Said;
  b: Said;
}

/** Joins the labels of two readers, each given as JSON lines. */
export function labelsIn(one: string, other: string): Labelled[] {
  const second = readLabels(other);
  return [...readLabels(one)]
    .flatMap(([id, a]): Labelled[] => {
      const b = second.get(id);
      return b === undefined ? [] : [{ id, a, b }];
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

const readLabels = (text: string): Map<string, Said> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const { id, failed } = JSON.parse(line) as { id: string; failed: Said };
        return [id, failed];
      }),
  );

/** The labelled results on which both readers agree, as samples. */
export function withLabels(
  results: readonly Recorded[],
  labels: readonly Labelled[],
): { samples: Sample[]; split: number; open: number } {
  const byId = new Map(labels.map((label) => [label.id, label]));
  const samples: Sample[] = [];
  let split = 0;
  let open = 0;
  for (const recorded of results) {
    const label = byId.get(recorded.id);
    if (label === undefined) continue;
    if (label.a !== label.b) split++;
    else if (label.a === 'unknown') open++;
    else {
      const { result } = recorded;
      const text = typeof result === 'string' ? result : contentOf(result).text;
      samples.push(sampleOf(recorded, text, label.a === 'yes'));
    }
  }
  return { samples, split, open };
}
