import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { cut, printable } from '../text/printable.ts';

/** An answer to a request that cannot be served: a code for programs, and one line that says what was expected, what came and what to do. */
export function problem(context: Context, status: ContentfulStatusCode, code: string, message: string): Response {
  return context.json({ error: { code, message: printable(message) } }, status);
}

/** A header as it is quoted. */
export const shown = (header: string): string => (header === '' ? 'none' : cut(header, 80));
