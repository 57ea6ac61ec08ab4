import type { SessionRow } from '@unrut/server/api/answers';
import { nameText } from './parts/words.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HEX = /^[0-9a-f]{16,}$/i;
/** A prefix of a few letters names the kind: `ses_`, `run-`. */
const RANDOM = /^(?:[a-z]{1,3}[-_])?([a-z0-9]{16,})$/i;
/** Min number of groups of digits in a random name. */
const LEAST_MIXED = 3;

/** A program made the name up, so its beginning says as much as the whole. */
function isGenerated(name: string): boolean {
  if (UUID.test(name) || HEX.test(name)) return true;
  const digits = RANDOM.exec(name)?.[1]?.match(/\d+/g) ?? [];
  return digits.length >= LEAST_MIXED;
}

/** The displayed name of a session; complete if a user may have chosen it. */
export const sessionName = ({ session, name }: Pick<SessionRow, 'session' | 'name'>): string =>
  nameText(isGenerated(session) ? name : session);
