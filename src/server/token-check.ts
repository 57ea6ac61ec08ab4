import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';

/** Whether a request carries the token as `Authorization: Bearer …`. Where there is no token, every request will do. */
export function tokenCheck(token: string | undefined): (context: Context) => boolean {
  if (token === undefined) return () => true;
  const expected = digest(token);
  return (context) => timingSafeEqual(expected, digest(bearerOf(context.req.header('authorization'))));
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const bearerOf = (header = ''): string => /^Bearer +(\S+)\s*$/i.exec(header)?.[1] ?? '';
