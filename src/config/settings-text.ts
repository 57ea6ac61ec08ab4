import type { Paint } from '../text/paint.ts';
import { printable } from '../text/printable.ts';
import type { EffectiveSetting } from './effective-settings.ts';
import type { LoadedSettings } from './load-settings.ts';

/** What is in force, as lines; detectors and recoveries that are as they come only if `all` is asked for. */
export function settingsText(files: LoadedSettings['files'], rows: readonly EffectiveSetting[], all: boolean, paint: Paint): string[] {
  const isUsed = (file: string): boolean => rows.some(({ from }) => from === file);
  const isQuiet = ({ key, from }: EffectiveSetting): boolean => from === 'default' && /^(?:detectors|recoveries)\./.test(key);
  const shown = rows
    .filter((row) => all || !isQuiet(row))
    .map(({ key, value, from }) => ({ key: printable(key), value: printable(valueText(value)), from: printable(from) }));
  const [keyWidth, valueWidth] = [widest(shown.map(({ key }) => key)), widest(shown.map(({ value }) => value))];
  return [
    `user config     ${printable(files.user)}${isUsed(files.user) ? '' : paint.dim(' (sets nothing)')}`,
    `project config  ${files.project === undefined ? paint.dim('none') : printable(files.project)}`,
    '',
    ...shown.map(({ key, value, from }) => {
      const line = `${key.padEnd(keyWidth)}  ${value.padEnd(valueWidth)}  ${from}`;
      return from === 'default' ? paint.dim(line) : line;
    }),
    ...(all ? [] : ['', 'Detectors and recoveries not listed here use their defaults; --all lists them.']),
  ];
}

/** A long path or command does not push the last column away. */
const WIDEST = 40;
const widest = (texts: readonly string[]): number => Math.min(WIDEST, Math.max(0, ...texts.map((text) => text.length)));

function valueText(value: unknown): string {
  if (value === null) return 'not set';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.join(', ') || 'none';
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}
