import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Exists from the installation for an agent until its first session with somebody at the screen. */
const fileOf = (ledgerPath: string, host: string): string =>
  join(dirname(ledgerPath), `new-${host}`);

/** An agent was connected: its next session says so. Never throws. */
export function expectWelcome(ledgerPath: string, host: string): void {
  try {
    const made = mkdirSync(dirname(ledgerPath), { recursive: true, mode: 0o700 });
    writeFileSync(fileOf(ledgerPath, host), made ?? '', { mode: 0o600 });
  } catch {
    // Then nobody is welcomed.
  }
}

/**
 * An agent was disconnected: removes what `expectWelcome` made, and its folders if nothing else is
 * in them. Never throws.
 */
export function dropWelcome(ledgerPath: string, host: string): void {
  try {
    const file = fileOf(ledgerPath, host);
    const made = readFileSync(file, 'utf8');
    unlinkSync(file);
    if (made === '') return;
    // The last agent that goes takes the folders with it.
    const other = readdirSync(dirname(file)).find((name) => name.startsWith('new-'));
    if (other !== undefined) {
      writeFileSync(join(dirname(file), other), made);
      return;
    }
    for (let folder = dirname(file); folder.startsWith(made); folder = dirname(folder))
      rmdirSync(folder);
  } catch {
    // Nobody was expected, or the folder is in use.
  }
}

/** True once after `expectWelcome`, also where several sessions start at once. Never throws. */
export function takeWelcome(ledgerPath: string, host: string): boolean {
  try {
    unlinkSync(fileOf(ledgerPath, host));
    return true;
  } catch {
    return false;
  }
}
