import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** Thrown inside a route: the request cannot be served. The message says what was expected, what came and what to do. */
export class Refusal extends Error {
  readonly status: ContentfulStatusCode;
  readonly code: string;

  constructor(status: ContentfulStatusCode, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
