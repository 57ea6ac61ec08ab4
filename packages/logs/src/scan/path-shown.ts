import { redact } from '@unrut/engine/redact/redact';
import { knownTokenAt } from '@unrut/engine/redact/secret-shape';

/** A path as a report shows it. */
export const pathShown = (path: string): string => path.replace(/[^\\/]+/g, nameShown);

/** A run, or a nested agent in it, as a report shows it. */
export const runShown = (session: string, agent: string | undefined): string =>
  [session, ...(agent === undefined ? [] : [agent])].map(nameShown).join('/');

/**
 * The name of a file or of a run as a report shows it. Names of runs are long and random, as secrets
 * are, and people type them: only the key of a known service is masked.
 */
export const nameShown = (name: string): string =>
  knownTokenAt(name) >= 0 || JSON_WEB_TOKEN.test(name) ? redact(name) : name;

const JSON_WEB_TOKEN = /eyJ[\w-]{10,}\.eyJ/;
