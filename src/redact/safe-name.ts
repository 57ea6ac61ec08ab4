import { hash64 } from '../hash.ts';
import { redact } from './redact.ts';

/** Ids as hosts make them, which look random and are no secrets: UUIDs and the like, those of OpenCode and of OpenAI. */
const PLAIN_ID = /^(?:[0-9a-f-]{1,64}|(?:ses|thread|conv|resp)_[0-9a-z]{8,64})$/i;
const MAX_NAME_LENGTH = 200;

/** A session's or an agent's own name, or a hash in its place where it looks like a secret or is endless: names are kept as they are. */
export const safeName = (name: string): string =>
  PLAIN_ID.test(name) || (name.length <= MAX_NAME_LENGTH && redact(name) === name) ? name : hash64(name);
