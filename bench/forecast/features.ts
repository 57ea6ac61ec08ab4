import type { Fingerprint } from '../../src/fingerprint/fingerprint.ts';
import { overlap } from '../../src/fingerprint/sketch.ts';
import { jaccard } from '../../src/fingerprint/words.ts';
import { push } from '../../src/recent.ts';

/** What a forecast is made of, in the order of the figures. Shares are of the recent past, the latest step weighing most. */
export const FEATURES = [
  'same call',
  'same tool and target',
  'alike call',
  'same result in a row',
  'novelty',
  'novelty falling',
  'errors',
  'errors in a row',
  'same error',
  'unknown results',
  'results that say nothing',
  'variety of tools',
  'since progress',
  'alike messages',
  'failed checks in a row',
  'edits since a passed check',
  'same call × nothing new',
  'alike call × nothing new',
  'alike messages × nothing new',
] as const;

/** What is remembered between two steps: bounded, and numbers or hashes only. */
export interface Past {
  calls: { key: string; place: string; tool: string; words: number[] }[];
  messages: number[][];
  error: string;
  shares: typeof SHARES;
  slowNovelty: number;
  errorsInRow: number;
  sinceProgress: number;
  failedChecks: number;
  edits: number;
}

const WINDOW = 12;
const MESSAGES = 8;
const VOCABULARY = 32;
/** How much of a share is kept from step to step: about the last five and the last twenty steps. */
const KEPT = 0.8;
const KEPT_LONG = 0.95;
const SHARES = {
  sameCall: 0,
  samePlace: 0,
  alikeCall: 0,
  novelty: 1,
  errors: 0,
  sameError: 0,
  unknown: 0,
  saysNothing: 0,
  alikeMessage: 0,
};

/** Before the first step. */
export const startPast = (): Past => ({
  calls: [],
  messages: [],
  error: '',
  shares: { ...SHARES },
  slowNovelty: 1,
  errorsInRow: 0,
  sinceProgress: 0,
  failedChecks: 0,
  edits: 0,
});

/** Reads one fingerprint; changes `past` in place. Null where nothing was said or done that counts. */
export function readFeatures(past: Past, seen: Fingerprint): number[] | null {
  if (seen.type === 'user-spoke') Object.assign(past, startPast());
  const message = seen.text?.message;
  if (seen.neutral || (!message && !(seen.call && seen.result))) return null;
  if (message) {
    const { vocabulary } = message;
    share(past, 'alikeMessage', Math.max(0, ...past.messages.map((other) => overlap(other, vocabulary, VOCABULARY))));
    push(past.messages, vocabulary, MESSAGES);
  }
  readCall(past, seen);
  return figures(past, seen.result?.run ?? 1);
}

function readCall(past: Past, { call, result, progress }: Fingerprint): void {
  if (!call || !result) return;
  const now = { key: call.key, place: `${call.tool} ${call.target ?? ''}`, tool: call.tool, words: call.words };
  share(past, 'sameCall', Number(past.calls.some(({ key }) => key === now.key)));
  share(past, 'samePlace', Number(past.calls.some(({ place }) => place === now.place)));
  share(past, 'alikeCall', Math.max(0, ...past.calls.map(({ tool, words }) => (tool === now.tool ? jaccard(words, now.words) : 0))));
  push(past.calls, now, WINDOW);
  share(past, 'unknown', Number(!result.known));
  share(past, 'saysNothing', Number(result.empty || result.acknowledgement));
  if (result.known) {
    share(past, 'novelty', result.novelty);
    past.slowNovelty = KEPT_LONG * past.slowNovelty + (1 - KEPT_LONG) * result.novelty;
  }
  const { error } = result;
  share(past, 'errors', Number(error !== null));
  share(past, 'sameError', Number(error !== null && error.class === past.error));
  past.errorsInRow = error ? past.errorsInRow + 1 : 0;
  if (error) past.error = error.class;
  past.sinceProgress = progress ? 0 : past.sinceProgress + 1;
  if (call.verb === 'verify') past.failedChecks = error ? past.failedChecks + 1 : 0;
  if (progress === 'write') past.edits++;
  if (call.verb === 'verify' && !error) past.edits = 0;
}

function share({ shares }: Past, name: keyof typeof SHARES, value: number): void {
  shares[name] = KEPT * shares[name] + (1 - KEPT) * value;
}

function figures(past: Past, run: number): number[] {
  const { sameCall, samePlace, alikeCall, novelty, errors, sameError, unknown, saysNothing, alikeMessage } = past.shares;
  return [
    sameCall,
    samePlace,
    alikeCall,
    Math.log2(run),
    novelty,
    past.slowNovelty - novelty,
    errors,
    Math.log1p(past.errorsInRow),
    sameError,
    unknown,
    saysNothing,
    entropy(past.calls.map(({ tool }) => tool)),
    Math.log1p(past.sinceProgress),
    alikeMessage,
    Math.log1p(past.failedChecks),
    Math.log1p(past.edits),
    sameCall * (1 - novelty),
    alikeCall * (1 - novelty),
    alikeMessage * (1 - novelty),
  ];
}

/** In bits. */
function entropy(names: readonly string[]): number {
  const counts = [...Map.groupBy(names, (name) => name).values()].map(({ length }) => length / names.length);
  return counts.reduce((sum, part) => sum - part * Math.log2(part), 0);
}
