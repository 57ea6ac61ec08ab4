import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { openhands } from '../importers/openhands/openhands.ts';

const EVENT = /^(?:event-)?(\d+)(?:-[\w-]+)?\.json$/;

/** The event files of an OpenHands run's folder, in order; empty for any other folder. */
export function eventFiles(folder: string): string[] {
  if (basename(resolve(folder)) !== 'events') return [];
  const number = (name: string): number => Number(EVENT.exec(name)![1]);
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && EVENT.test(entry.name))
    .map(({ name }) => name)
    .sort((one, other) => number(one) - number(other));
  return names.length > 0 && isEvent(join(folder, names[0]!)) ? names : [];
}

function isEvent(file: string): boolean {
  try {
    return openhands.recognises([JSON.parse(readFileSync(file, 'utf8'))]);
  } catch {
    return false;
  }
}
