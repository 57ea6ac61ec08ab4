import { STATUS_CODES } from 'node:http';
import { redact } from '@unrut/engine/redact/redact';
import { cut, printable } from '@unrut/engine/text/printable';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ProblemAnswer } from './api/answers.ts';

const REFUSED = 'refused';
/** The default `Retry-After`, in seconds, for temporary failures. */
const SOON = '1';

/** The reason for a refusal: a code for programs, and one line for people. */
export interface Refused {
  code: string;
  detail: string;
}

/**
 * Problem details for a request that cannot be served: the expected input, the actual one and
 * advice.
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

/** Removes the database's location and message, which only the log should contain. */
const withoutDatabase = (detail: string): string =>
  detail.replace(
    /\[postgres\] .*?(?= Send (?:it|them) again|$)/,
    'its database cannot be used now, and its log says why.',
  );

/**
 * Thrown inside a route if the request cannot be served. The message has the expected input, the
 * actual one and advice.
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

/** The error for invalid requests. */
export const malformed = (message: string): Refusal => new Refusal(400, 'malformed', message);

/** The error for names that do not exist. */
export const unknown = (what: 'session' | 'run' | 'incident', name: string): Refusal =>
  new Refusal(404, `unknown-${what}`, `No such ${what}: ${cut(name, 80)}. See GET /v1/${what}s.`);

/** Stores the reason of a refusal for the log; returns the version for the client. */
export function noteRefusal(context: Context, code: string, message: string): string {
  const detail = printable(redact(message));
  context.set(REFUSED, { code, detail } satisfies Refused);
  return detail;
}

/** Why a request was refused, if it was. */
export const refusalOf = (context: Context): Refused | undefined => context.get(REFUSED);

/** A header, quoted for a message. */
export const shown = (header: string): string => (header === '' ? 'none' : cut(header, 80));
