import { STATUS_CODES } from 'node:http';
import { redact } from '@unrut/engine/redact/redact';
import { cut, printable } from '@unrut/engine/text/printable';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ProblemAnswer } from './api/answers.ts';

const REFUSED = 'refused';
/** Seconds after which what is passing may have passed, where nobody knows better. */
const SOON = '1';

/** Why a request was refused: a code for programs, and one line for people. */
export interface Refused {
  code: string;
  detail: string;
}

/**
 * An answer to a request that cannot be served, as problem details: what was expected, what came
 * and what to do.
 */
export function problem(
  context: Context,
  status: ContentfulStatusCode,
  code: string,
  message: string,
): Response {
  const detail = withoutDatabase(noteRefusal(context, code, message));
  const title = STATUS_CODES[status] ?? '';
  if (status === 503 && !context.res.headers.has('retry-after'))
    context.header('retry-after', SOON);
  const body: ProblemAnswer = {
    type: 'about:blank',
    title,
    status,
    detail,
    code,
    error: { code, message: detail },
  };
  return context.body(JSON.stringify(body), status, { 'content-type': 'application/problem+json' });
}

/** The caller need not know where the database is and what it said; the log has that. */
const withoutDatabase = (detail: string): string =>
  detail.replace(
    /\[postgres\] .*?(?= Send (?:it|them) again|$)/,
    'its database cannot be used now, and its log says why.',
  );

/**
 * Thrown inside a route: the request cannot be served. The message says what was expected, what
 * came and what to do.
 */
export class Refusal extends Error {
  readonly status: ContentfulStatusCode;
  readonly code: string;

  constructor(status: ContentfulStatusCode, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The request is not what was expected. */
export const malformed = (message: string): Refusal => new Refusal(400, 'malformed', message);

/** Nobody knows what is asked for. */
export const unknown = (what: 'session' | 'run' | 'incident', name: string): Refusal =>
  new Refusal(404, `unknown-${what}`, `No such ${what}: ${cut(name, 80)}. See GET /v1/${what}s.`);

/** Remembers why a request is refused, for the log; gives it as it may be shown. */
export function noteRefusal(context: Context, code: string, message: string): string {
  const detail = printable(redact(message));
  context.set(REFUSED, { code, detail } satisfies Refused);
  return detail;
}

/** Why a request was refused, if it was. */
export const refusalOf = (context: Context): Refused | undefined => context.get(REFUSED);

/** A header as it is quoted. */
export const shown = (header: string): string => (header === '' ? 'none' : cut(header, 80));
