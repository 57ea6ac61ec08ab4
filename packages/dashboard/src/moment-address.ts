import type { SessionAnswer } from '@unrut/server/api/answers';
import { hrefHere } from './router.tsx';

/** Moments on one page of a session. */
const SHOWN = 100;

const isNumber = (text: string | null): text is string => /^\d{1,6}$/.test(text ?? '');

/**
 * Which page of a session's moments the address asks for; the newest by default.
 */
export function pageAsked(query: URLSearchParams): URLSearchParams {
  const page = new URLSearchParams({ limit: String(SHOWN) });
  const { at, step, agent } = inAddress(query);
  if (isNumber(at)) page.set('offset', String(SHOWN * Math.floor(Number(at) / SHOWN)));
  else if (isNumber(step)) page.set('around', step);
  if (agent !== null) page.set('agent', agent);
  return page;
}

/** The place of the moment that the address names. */
export function placeAsked(
  query: URLSearchParams,
  { moments, offset }: SessionAnswer,
): number | null {
  const { at, step, agent } = inAddress(query);
  if (isNumber(at)) return Number(at);
  if (!isNumber(step)) return null;
  const found = moments.findIndex(
    (moment) => moment.step === Number(step) && moment.agent === (agent ?? undefined),
  );
  return found < 0 ? null : offset + found;
}

/** `at`: a moment's index; `step`: its number, of the nested agent `agent` if set. */
const inAddress = (query: URLSearchParams) => ({
  at: query.get('at'),
  step: query.get('step'),
  agent: query.get('agent'),
});

/** The address of a moment of the session that is shown. */
export const hrefAt = (place: number): string =>
  hrefHere({ at: place, step: undefined, agent: undefined });
