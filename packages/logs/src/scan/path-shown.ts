import { redact } from '@unrut/engine/redact/redact';
import { knownTokenAt } from '@unrut/engine/redact/secret-shape';

/** A path as a report shows it. */
export const pathShown = (path: string): string => path.replace(/[^\\/]+/g, nameShown);

/** The displayed name of a run or of a nested agent in it. */
export const runShown = (session: string, agent: string | undefined): string =>
  [session, ...(agent === undefined ? [] : [agent])].map(nameShown).join('/');

/**
 * The displayed name of a file or run. Names of runs look random like secrets, but users type them,
 * so only keys of known services are masked.
 */
export const nameShown = (name: string): string =>
  knownTokenAt(name) >= 0 || JSON_WEB_TOKEN.test(name) ? redact(name) : name;

const JSON_WEB_TOKEN = /eyJ[\w-]{10,}\.eyJ/;
