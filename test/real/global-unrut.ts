import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { newFolder } from '../ledger-files.ts';
import { PATH } from './install-agent.ts';

/** A PATH with a folder in which the package is installed for all. */
export function pathWithUnrut(): string {
  const folder = newFolder();
  const installed = join(folder, 'node_modules', 'unrut');
  mkdirSync(installed, { recursive: true });
  symlinkSync(inject('programs'), join(installed, 'dist'));
  return `${folder}:${PATH}`;
}
