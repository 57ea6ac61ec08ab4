import { dirname, join } from 'node:path';
import { readTextFile, refuseReadOnly, writeText } from '@unrut/agents/settings-files/change-file';
import { insertInto, readJson, replaceAt } from '@unrut/agents/settings-files/edit-json';
import type { Scope } from '@unrut/agents/settings-files/order';
import { UnrutError } from '@unrut/engine/errors';
import { isObject } from '@unrut/engine/json';
import { printable } from '@unrut/engine/text/printable';
import { CONFIG_FILES, configFilesIn } from '@unrut/ledger/config/find-config';
import { loadSettings } from '@unrut/ledger/config/load-settings';

/** A config that is to say which share of the sessions is only recorded. */
export interface TrialToBegin {
  share: number;
  path: string;
  /** Missing: there is no file. */
  before: string | undefined;
  after: string;
}

/** Reads the config of the user or the project. Throws if it cannot be changed. */
export function trialToBegin(share: number, scope: Scope, project: string): TrialToBegin {
  const folder = scope === 'project' ? project : dirname(loadSettings().files.user);
  const path = configFilesIn(folder)[0] ?? join(folder, CONFIG_FILES[0]!);
  if (!path.endsWith('.json'))
    throw new UnrutError(
      'unwritable',
      `Cannot change ${path}: it is a program. Nothing was changed; add trial: { share: ${share} } to it.`,
    );
  refuseReadOnly(path);
  const before = readTextFile(path);
  return { share, path, before, after: withShare(before ?? '{}\n', share, path) };
}

/** Writes it, and says so. */
export function beginTrial({ share, path, before, after }: TrialToBegin, dryRun: boolean): void {
  if (!dryRun && after !== before) writeText(path, after, 0o600);
  const percent = Math.round(share * 1000) / 10;
  console.log(`${percent} % of new sessions ${dryRun ? 'would be' : 'are'} only recorded:`);
  const done = before === undefined ? 'is new' : after === before ? 'says so' : 'is changed';
  console.log(printable(`  ${path} ${done}. To end the trial, remove "trial" there.`));
  console.log('  Whether Unrut helps: unrut stats --trial');
}

/** What else the config says stays, such as the name of the trial. */
function withShare(text: string, share: number, path: string): string {
  const config = readJson(text, path);
  if (!isObject(config))
    throw new UnrutError(
      'unreadable',
      `Expected an object in ${path}, got something else. Nothing was changed.`,
    );
  const { trial } = config;
  if (trial === undefined) return insertInto(text, [], { share }, 'trial');
  if (!isObject(trial)) return replaceAt(text, ['trial'], { share });
  if (trial.share === share) return text;
  return trial.share === undefined
    ? insertInto(text, ['trial'], share, 'share')
    : replaceAt(text, ['trial', 'share'], share);
}
