import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hash64 } from '@unrut/engine/hash';
import type { BudgetOptions } from '@unrut/engine/policy/spending';

/** Whether a budget depends on the session's cost. */
export const needsCost = ({ usd, day }: BudgetOptions = {}): boolean =>
  usd !== undefined || day?.usd !== undefined;

const folderOf = (ledgerPath: string): string => join(dirname(ledgerPath), 'costs');
const fileOf = (ledgerPath: string, session: string): string =>
  join(folderOf(ledgerPath), hash64(session));

/** Files older than this, in milliseconds, belong to ended sessions. */
const MAX_AGE = 7 * 86_400_000;

/** Stores the session cost that a host reports, for the session's hooks. Never throws. */
export function noteCost(ledgerPath: string, session: string, usd: unknown, now: number): void {
  if (typeof usd !== 'number' || !Number.isFinite(usd) || usd < 0) return;
  try {
    const file = fileOf(ledgerPath, session);
    if (costSoFar(ledgerPath, session) === usd) return;
    mkdirSync(folderOf(ledgerPath), { recursive: true, mode: 0o700 });
    writeFileSync(file, String(usd), { mode: 0o600 });
    for (const name of readdirSync(folderOf(ledgerPath))) {
      const path = join(folderOf(ledgerPath), name);
      if (now - statSync(path).mtimeMs > MAX_AGE) rmSync(path, { force: true });
    }
  } catch {
    // The next status line tries again.
  }
}

/** In dollars; undefined if the host reported no cost. Never throws. */
export function costSoFar(ledgerPath: string, session: string): number | undefined {
  try {
    const usd = Number(readFileSync(fileOf(ledgerPath, session), 'utf8'));
    return Number.isFinite(usd) ? usd : undefined;
  } catch {
    return undefined;
  }
}
