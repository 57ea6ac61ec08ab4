import type { Fingerprint } from '@unrut/engine/fingerprint';

/**
 * The part of a fingerprint that describes a call and its result to readers, in redacted words and
 * numbers.
 */
export interface SeenBriefly {
  neutral?: Fingerprint['neutral'];
  progress?: Fingerprint['progress'];
  /** `tool`: the program of a shell command, otherwise the tool. */
  call?: { label: string; tool: string };
  result?: {
    known: boolean;
    sameInARow?: number;
    /** The earlier name of `sameInARow` in records. */
    run?: number;
    novelty: number;
    empty: boolean;
    failures: number | null;
    error: { label: string } | null;
  };
  /** A message, or a whole thought. */
  text?: { message: { words: number } | null; channel?: 'answer' | 'thinking' };
  output?: { signature: string; moved?: boolean };
}

/** The recorded part of a fingerprint. */
export function seenBriefly({
  neutral,
  progress,
  call,
  result,
  text,
  output,
}: Fingerprint): SeenBriefly {
  const seen: SeenBriefly = {};
  if (neutral) seen.neutral = neutral;
  if (progress) seen.progress = progress;
  if (call) seen.call = { label: call.label, tool: call.tool };
  if (result) seen.result = briefResult(result);
  if (text?.message) {
    seen.text = { message: { words: text.message.words } };
    if (text.channel === 'thinking') seen.text.channel = text.channel;
  }
  if (output) {
    seen.output = { signature: output.signature };
    if (output.moved !== undefined) seen.output.moved = output.moved;
  }
  return seen;
}

function briefResult({
  known,
  sameInARow,
  novelty,
  empty,
  failures,
  error,
}: NonNullable<Fingerprint['result']>): SeenBriefly['result'] {
  return {
    known,
    sameInARow,
    novelty: Math.round(novelty * 100) / 100,
    empty,
    failures,
    error: error && { label: error.label },
  };
}
