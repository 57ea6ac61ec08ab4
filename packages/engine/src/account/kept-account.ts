import { type AccountBounds, type AccountState, boundAccount } from './account.ts';
import type { LoopMark, Stretch } from './loop.ts';

type Mark = [step: number, tokens: number, usd: number];
type Thread = AccountState['threads'][number][1];
type KeptStretch = (number | string | boolean | Mark | Stretch['tried'])[];

/** An account in compact JSON, from which the next entry resumes. */
export type KeptAccount = [
  threads: [
    agent: string,
    sums: KeptSums,
    places: [first: number, next: number, spoke: number, stretchId: number],
    whole: [number, number],
    marks: Mark[],
    stretches: KeptStretch[],
    settled: [looped: number, steps: number, tokens: number, usd: number, to: Mark],
  ][],
  closed: KeptSums,
  /** Ended well, ended, or neither. */
  ended: 0 | 1 | 2,
];

type KeptSums = [
  steps: number,
  tokens: number | null,
  usd: number | null,
  looped: number,
  wasted: Mark,
];

/** Makes the account fit its bounds, and gives what is to be kept of it. */
export function keepAccount(state: AccountState, bounds: AccountBounds): KeptAccount {
  boundAccount(state, bounds);
  return [
    state.threads.map(([agent, thread]) => [
      agent,
      sumsOf(thread),
      [thread.first, thread.next, thread.spoke, thread.stretchId],
      [thread.whole.tokens, thread.whole.usd],
      thread.marks.map(packed),
      thread.stretches.map((stretch) =>
        FIELDS.map((name) => (isMark(name) ? packed(stretch[name]) : stretch[name])),
      ),
      [
        thread.settled.looped,
        ...(packed({ ...thread.settled.wasted, step: thread.settled.wasted.steps }) as Mark),
        packed(thread.settled.to),
      ],
    ]),
    sumsOf(state.closed),
    state.well ? 2 : state.ended ? 1 : 0,
  ];
}

/** The account as it was kept. */
export function resumeAccount([threads, closed, ended]: KeptAccount): AccountState {
  return {
    threads: threads.map(
      ([
        agent,
        sums,
        [first, next, spoke, stretchId],
        [tokens, usd],
        marks,
        stretches,
        settled,
      ]) => {
        const [looped, ...waste] = settled;
        const thread: Thread = {
          ...readSums(sums),
          first,
          next,
          spoke,
          stretchId,
          whole: { tokens, usd },
          marks: marks.map(unpacked),
          stretches: stretches.map(readStretch),
          // Stretches may have gone since they were counted.
          stale: true,
          settled: {
            looped,
            wasted: { steps: waste[0], tokens: waste[1], usd: waste[2] },
            to: unpacked(waste[3]),
          },
        };
        return [agent, thread];
      },
    ),
    closed: readSums(closed),
    ended: ended > 0,
    well: ended === 2,
  };
}

const FIELDS = [
  ...(['id', 'streak', 'detector', 'advice', 'start', 'firedAt', 'end', 'at'] as const),
  ...(['rung', 'count', 'refused', 'strength', 'from', 'to'] as const),
  // Not in accounts that earlier versions kept.
  ...(['tried', 'heard'] as const),
];

const isMark = (name: (typeof FIELDS)[number]): name is 'from' | 'to' =>
  name === 'from' || name === 'to';

const readStretch = (kept: KeptStretch): Stretch =>
  ({
    variant: '',
    text: '',
    plans: [],
    ...Object.fromEntries(
      FIELDS.map((name, i) => [name, isMark(name) ? unpacked(kept[i] as Mark) : kept[i]]),
    ),
    tried: (kept[FIELDS.indexOf('tried')] ?? null) as Stretch['tried'],
    heard: kept[FIELDS.indexOf('heard')] === true,
  }) as unknown as Stretch;

const packed = ({ step, tokens, usd }: LoopMark): Mark => [step, tokens, usd];
const unpacked = ([step, tokens, usd]: Mark): LoopMark => ({ step, tokens, usd });

const sumsOf = ({ steps, tokens, usd, looped, wasted }: AccountState['closed']): KeptSums => [
  ...([steps, tokens, usd, looped] as const),
  [wasted.steps, wasted.tokens, wasted.usd],
];

const readSums = ([
  steps,
  tokens,
  usd,
  looped,
  [wastedSteps, wastedTokens, wastedUsd],
]: KeptSums): AccountState['closed'] => ({
  steps,
  tokens,
  usd,
  looped,
  wasted: { steps: wastedSteps, tokens: wastedTokens, usd: wastedUsd },
});
