/** Every error that Unrut throws: at construction and at the edges, never from `observe`. */
export class UnrutError extends Error {
  /** Stable, for programs: `unknown-name`, `bad-option`, `bad-snapshot`, … */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(`[unrut] ${message}`, options);
    this.name = 'UnrutError';
    this.code = code;
  }
}
