import { mkdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Exists from the installation for an agent until its first session with somebody at the screen. */
const fileOf = (ledgerPath: string, host: string): string =>
  join(dirname(ledgerPath), `new-${host}`);

/** An agent was connected: its next session says so. Never throws. */
export function expectWelcome(ledgerPath: string, host: string): void {
  try {
    mkdirSync(dirname(ledgerPath), { recursive: true, mode: 0o700 });
    writeFileSync(fileOf(ledgerPath, host), '', { mode: 0o600 });
  } catch {
    // Then nobody is welcomed.
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
