import type { Fingerprint } from '@unrut/engine/fingerprint';

/**
 * The part of a fingerprint that tells a reader what happened and what it brought, in redacted
 * words and numbers.
 */
export interface SeenBriefly {
  neutral?: Fingerprint['neutral'];
  progress?: Fingerprint['progress'];
  /** `tool` is the program of a shell command, else the tool itself. */
  call?: { label: string; tool: string };
  result?: {
    known: boolean;
    sameInARow?: number;
    /** What records of earlier versions call `sameInARow`. */
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

/** What is kept of a fingerprint in the record. */
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
