import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Exists from the installation until the agent's first session that a user watches. */
const fileOf = (ledgerPath: string, host: string): string =>
  join(dirname(ledgerPath), `new-${host}`);

/** Requests a welcome message in the agent's next session. Never throws. */
export function expectWelcome(ledgerPath: string, host: string): void {
  try {
    const made = mkdirSync(dirname(ledgerPath), { recursive: true, mode: 0o700 });
    writeFileSync(fileOf(ledgerPath, host), made ?? '', { mode: 0o600 });
  } catch {
    // Then nobody is welcomed.
  }
}

/** Reverts `expectWelcome`, including its folders if they are empty. Never throws. */
export function dropWelcome(ledgerPath: string, host: string): void {
  try {
    const file = fileOf(ledgerPath, host);
    const made = readFileSync(file, 'utf8');
    unlinkSync(file);
    if (made === '') return;
    // The last disconnected agent also removes the folders.
    const other = readdirSync(dirname(file)).find((name) => name.startsWith('new-'));
    if (other !== undefined) {
      writeFileSync(join(dirname(file), other), made);
      return;
    }
    for (let folder = dirname(file); folder.startsWith(made); folder = dirname(folder))
      rmdirSync(folder);
  } catch {
    // There was no request, or the folder is in use.
  }
}

/** True once after `expectWelcome`, even if several sessions start at once. Never throws. */
export function takeWelcome(ledgerPath: string, host: string): boolean {
  try {
    unlinkSync(fileOf(ledgerPath, host));
    return true;
  } catch {
    return false;
  }
}
