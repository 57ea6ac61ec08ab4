import { present } from '@unrut/engine/json';
import { cut, printable } from '@unrut/engine/text/printable';
import { errorTextIn } from '../last-words.ts';
import type { AgentTurn } from './run-agent-command.ts';

/** A provider limit that an agent ran into. */
export interface ProviderLimit {
  /** The message. */
  text: string;
  /** When the limit ends, in epoch milliseconds, if the message says so. */
  until?: number;
}

const LIMIT =
  /\b(?:usage|session|weekly|daily|hourly|hour|rate|request|token|message|quota)[ -]limit\b.{0,60}\b(?:reached|exceeded|hit)\b|\bhit your\b.{0,30}\blimit\b|\b(?:reached|exceeded) your\b.{0,30}\b(?:limit|quota)\b|\brate_limit_(?:error|exceeded)\b|\boverloaded(?:_error)?\b|\btoo many requests\b|\bquota (?:exceeded|exhausted)\b|\bRESOURCE_EXHAUSTED\b|\bAPI Error: (?:429|529)\b/i;
const LAST_LINES = 5;
const MAX_TEXT = 160;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const DAY = 86_400_000;

/**
 * The provider limit that made an agent fail. A report that only mentions a limit does not count.
 */
export function providerLimitIn(
  { failed, output, problem = '' }: Pick<AgentTurn, 'failed' | 'output' | 'problem'>,
  now: number,
): ProviderLimit | undefined {
  if (!failed && errorTextIn(output) === undefined) return undefined;
  const said = output.split('\n').filter((line) => line.trim() !== '');
  const line = [problem, ...said.slice(-LAST_LINES)].find((each) => LIMIT.test(each));
  if (line === undefined) return undefined;
  const until = endIn(line, now);
  return { text: cut(printable(line).trim(), MAX_TEXT), ...present({ until }) };
}

function endIn(line: string, now: number): number | undefined {
  const [, epoch] = /\|\s*(\d{10})\b/.exec(line) ?? [];
  if (epoch) return Number(epoch) * 1000;
  const [, number, unit] =
    /\b(?:try again|retry|resets?|wait|available)\b\D{0,20}?\b(?:in|after|for)\b\D{0,10}?(\d+(?:\.\d+)?)\s*(ms|s|m|h)/i.exec(
      line,
    ) ?? [];
  if (number) return now + Number(number) * UNITS[unit!.toLowerCase()]!;
  const [, hour, minute = '0', half, zone] =
    /\b(?:resets?|try again|available)\b\D{0,20}?\b(\d{1,2})(?::(\d{2}))?\s*([ap]m)?\b(?:\s*\(?(UTC|GMT|Z)\b)?/i.exec(
      line,
    ) ?? [];
  if (!hour || Number(hour) > 24) return undefined;
  const hours = half ? (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0) : Number(hour);
  const time = new Date(now);
  if (zone) time.setUTCHours(hours, Number(minute), 0, 0);
  else time.setHours(hours, Number(minute), 0, 0);
  return time.getTime() > now ? time.getTime() : time.getTime() + DAY;
}

export interface WaitOptions {
  /** Maximum time in milliseconds that one iteration waits for the provider. */
  maxWait: number;
  /** Maximum number of agent starts per hour. */
  callsPerHour?: number | undefined;
  now: () => number;
  /** Resolves after the time, or when the signal aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Reports what is being waited for, and until when. */
  say(line: string): void;
}

const FIRST_WAIT = 60_000;
const LONGEST_WAIT = 1_800_000;
/** Clocks differ, so a limit may hold a moment longer than stated. */
const MARGIN = 2000;
const HOUR = 3_600_000;

/** Runs an agent and waits out limits of its provider. The waiting time does not count. */
export function waitingOut({
  maxWait,
  callsPerHour,
  now,
  sleep,
  say,
}: WaitOptions): (run: () => Promise<AgentTurn>, signal: AbortSignal) => Promise<AgentTurn> {
  const calls: number[] = [];
  return async (run, signal) => {
    let waited = 0;
    const wait = async (milliseconds: number, why: string): Promise<void> => {
      say(
        `${why} Waiting ${timeText(milliseconds)}, until ${new Date(now() + milliseconds).toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
      );
      const from = now();
      await sleep(milliseconds, signal);
      waited += now() - from;
    };
    for (let tries = 0; ; tries++) {
      const oldest = callsPerHour === undefined ? undefined : calls.at(-callsPerHour);
      if (oldest !== undefined && oldest + HOUR > now())
        await wait(
          oldest + HOUR - now(),
          `${callsPerHour} calls within the hour, the max (--calls-per-hour).`,
        );
      calls.push(now());
      const from = now();
      const turn = await run();
      const limit = turn.wasStopped || turn.neverStarted ? undefined : providerLimitIn(turn, now());
      if (!limit) return { ...turn, waited };
      // The failed call itself does not count, either.
      waited += now() - from;
      const pause =
        limit.until === undefined
          ? Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** tries)
          : Math.max(0, limit.until - now()) + MARGIN;
      if (waited + pause > maxWait)
        return {
          ...turn,
          waited,
          limit: `The provider's limit is reached (${limit.text}), and waiting ${timeText(pause)} more is longer than --max-wait allows.`,
        };
      await wait(pause, `The provider's limit is reached: ${limit.text}`);
      if (signal.aborted) return { ...turn, waited, wasStopped: true };
    }
  };
}

function timeText(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  if (milliseconds < 120_000) return `${Math.round(milliseconds / 1000)} s`;
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
