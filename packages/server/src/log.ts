import { redact } from '@unrut/engine/redact/redact';
import { printable } from '@unrut/engine/text/printable';

/** How lines are written. */
export const LOG_FORMATS = ['plain', 'json'] as const;

export type LogFormat = (typeof LOG_FORMATS)[number];

/** A message to operators. */
export interface LogEvent {
  /** `refused`, `fault`, `slow`, … */
  event: string;
  level: 'info' | 'warn' | 'error';
  /** Distinguishes messages of one event; the limit of lines applies per code. */
  code?: string;
  /** One line for people. */
  detail?: string;
  method?: string;
  route?: string;
  status?: number;
  milliseconds?: number;
}

/** Reports faults to operators. */
export interface Log {
  (event: LogEvent): void;
  /** Number of lines dropped by the limit. */
  readonly suppressed: number;
}

export interface LogOptions {
  write(line: string): void;
  format?: LogFormat;
  now?: () => number;
}

/** Max lines per code in a period. */
const MAX_LINES = 10;
const SPAN = 10_000;
const MAX_DETAIL_LENGTH = 300;

/**
 * Secrets are masked. Only some lines per code are written; the next one states how many were
 * dropped.
 */
export function createLog({ write, format = 'plain', now = Date.now }: LogOptions): Log {
  const kinds = new Map<string, { since: number; lines: number; missing: number }>();
  const text = format === 'json' ? (line: object) => JSON.stringify(line) : plainLine;
  let suppressed = 0;

  const log = ({ event, level, detail, ...more }: LogEvent): void => {
    const at = now();
    const name = `${event} ${more.code ?? ''}`;
    const before = kinds.get(name);
    const isFresh = !before || Math.abs(at - before.since) >= SPAN;
    const kind = isFresh ? { since: at, lines: 0, missing: before?.missing ?? 0 } : before;
    kinds.set(name, kind);
    if (++kind.lines > MAX_LINES) {
      kind.missing++;
      suppressed++;
      return;
    }
    write(
      text({
        time: new Date(at).toISOString(),
        level,
        event,
        ...more,
        ...(detail === undefined
          ? {}
          : { detail: printable(redact(detail)).slice(0, MAX_DETAIL_LENGTH) }),
        ...(kind.missing > 0 ? { suppressed: kind.missing } : {}),
      }),
    );
    kind.missing = 0;
  };
  return Object.defineProperty(log, 'suppressed', { get: () => suppressed }) as Log;
}

function plainLine({
  time,
  level,
  event,
  method,
  route,
  status,
  code,
  milliseconds,
  detail,
  suppressed,
}: LogEvent & {
  time: string;
  suppressed?: number;
}): string {
  const about = [
    method,
    route,
    status,
    code,
    milliseconds === undefined ? undefined : `${milliseconds} ms`,
  ];
  const words = [time, level, event, ...about].filter((word) => word !== undefined).join(' ');
  const more =
    suppressed === undefined ? '' : ` (${suppressed} more lines like this were not written)`;
  return `${words}${detail === undefined ? '' : `: ${detail}`}${more}`;
}

/** A log that drops everything. */
export const noLog: Log = createLog({ write: () => undefined });
