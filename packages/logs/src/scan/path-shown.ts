import { redact } from '@unrut/engine/redact/redact';

/**
 * Ids of traces and sessions are long and random, as secrets are; they are what a run is asked for
 * by.
 */
const ID =
  /^(?:(?:ses|session|thread|T|conv|chat|run|trace|task|agent)[_-])?[\da-f-]{8,64}(?:\.\w+)*$|^ses_[\da-z]{20,40}$/i;
/** What agents put into the names of their files. */
const DATES_AND_IDS =
  /\d{4}-\d\d-\d\dT\d\d-\d\d(?:-\d\d)?|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?<![\da-z])[\da-f]{16,64}(?![\da-z])/gi;

/** A path as a report shows it: a secret in a name is masked. */
export const pathShown = (path: string): string => path.replace(/[^\\/]+/g, nameShown);

/** A run, or a nested agent in it, as a report shows it. */
export const runShown = (session: string, agent: string | undefined): string =>
  [session, ...(agent === undefined ? [] : [agent])].map(nameShown).join('/');

/** The name of a file or of a run as a report shows it. */
export function nameShown(name: string): string {
  if (ID.test(name)) return name;
  const rest = name.replace(DATES_AND_IDS, '');
  return redact(rest) === rest ? name : redact(name);
}
