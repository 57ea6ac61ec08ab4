import { hash64 } from '../hash.ts';
import { redact } from './redact.ts';

/**
 * Ids made by hosts, which look random and are not secrets: UUIDs and similar, OpenCode's and
 * OpenAI's.
 */
const PLAIN_ID = /^(?:[0-9a-f-]{1,64}|(?:ses|thread|conv|resp)_[0-9a-z]{8,64})$/i;
const MAX_NAME_LENGTH = 200;

/**
 * The name of a session or an agent, or a hash of it if it looks like a secret or is too long.
 * Names are stored as they are.
 */
export const safeName = (name: string): string =>
  PLAIN_ID.test(name) || (name.length <= MAX_NAME_LENGTH && redact(name) === name)
    ? name
    : hash64(name);
