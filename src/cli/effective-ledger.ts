import { homedir } from 'node:os';
import { loadSettings } from '../config/load-settings.ts';
import { printable } from '../text/printable.ts';

/** The path of the ledger that the settings name; there may be nothing yet. */
export const effectiveLedger = (): string =>
  loadSettings({ cwd: process.cwd(), home: homedir(), environment: process.env }).settings.ledger.path;

/** Said where there is nothing to show: how to connect an agent. */
export const nothingYet = (path: string): string =>
  `Nothing has been recorded in ${printable(path)} yet.\nConnect an agent with unrut install claude-code; unrut install lists the others.`;
