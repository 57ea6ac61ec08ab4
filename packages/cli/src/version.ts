import { readFileSync } from 'node:fs';

/** Put in by the build; in development package.json is read. */
declare const UNRUT_VERSION: string | undefined;

/** Of this Unrut. */
export function version(): string {
  if (typeof UNRUT_VERSION === 'string') return UNRUT_VERSION;
  return (
    JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    }
  ).version;
}
