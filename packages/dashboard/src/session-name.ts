import type { SessionRow } from '@unrut/server/api/answers';
import { nameText } from './parts/words.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HEX = /^[0-9a-f]{16,}$/i;
/** A few letters before it tell what it is of: `ses_`, `run-`. */
const RANDOM = /^(?:[a-z]{1,3}[-_])?([a-z0-9]{16,})$/i;
/** In what was drawn at random, digits stand among the letters at least so often. */
const LEAST_MIXED = 3;

/** A program made the name up, so its beginning says as much as the whole. */
function isGenerated(name: string): boolean {
  if (UUID.test(name) || HEX.test(name)) return true;
  const digits = RANDOM.exec(name)?.[1]?.match(/\d+/g) ?? [];
  return digits.length >= LEAST_MIXED;
}

/** The name of a session as it is shown: whole, if somebody may have chosen it. */
export const sessionName = ({ session, name }: Pick<SessionRow, 'session' | 'name'>): string =>
  nameText(isGenerated(session) ? name : session);
