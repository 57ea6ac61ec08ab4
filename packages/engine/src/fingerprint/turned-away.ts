import type { CallFinished } from '../event.ts';
import type { ResultPrint } from '../prints.ts';

/** A server says that it gets too many requests, or cannot take any for now. */
const AWAY =
  /\b(?:429|503|529)\b|too many requests|rate.?limit|overloaded|throttl|quota exceeded|slow down|service unavailable|temporarily unavailable/i;
const NAMED =
  /retry[-_ ]?after["']?\s*[:=]?\s*["']?(\d{1,5}(?:\.\d+)?)|(?:try again|retry|available|wait)(?: again)?(?: in| after| for)? (\d{1,5}(?:\.\d+)?) ?(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?)\b/i;
const MAX_LENGTH = 2000;

/** Undefined if the call failed for another reason, or did not fail. */
export function readTurnedAway(
  { error, result }: CallFinished,
  print: ResultPrint,
): { seconds: number | null } | undefined {
  if (!print.error?.transient) return undefined;
  const text = [error, result]
    .map((each) => (typeof each === 'string' ? each : (JSON.stringify(each) ?? '')))
    .join('\n')
    .slice(0, MAX_LENGTH);
  if (!AWAY.test(text)) return undefined;
  const named = NAMED.exec(text);
  if (!named) return { seconds: null };
  const number = Number(named[1] ?? named[2]);
  const unit = named[3]?.toLowerCase() ?? 's';
  const seconds =
    unit.startsWith('ms') || unit.startsWith('milli')
      ? number / 1000
      : unit.startsWith('m')
        ? number * 60
        : number;
  return { seconds };
}
