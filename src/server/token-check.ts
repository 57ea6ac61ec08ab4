import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';

/** Whether a request carries the token as `Authorization: Bearer …`. Where there is no token, every request will do. */
export function tokenCheck(token: string | undefined): (context: Context) => boolean {
  const isToken = tokenTest(token);
  return (context) => isToken(bearerOf(context.req.header('authorization')));
}

/** Whether a text is the token. Where there is none, every text will do. */
export function tokenTest(token: string | undefined): (given: string) => boolean {
  if (token === undefined) return () => true;
  const expected = digest(token);
  return (given) => timingSafeEqual(expected, digest(given));
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const bearerOf = (header = ''): string => /^Bearer +(\S+)\s*$/i.exec(header)?.[1] ?? '';
