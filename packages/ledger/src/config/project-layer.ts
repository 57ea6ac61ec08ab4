import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { isBelow } from '../people/said.ts';
import { fileLayer, isCode, refuse } from './file-layer.ts';
import { inHome } from './find-config.ts';
import type { Layer } from './layers.ts';
import { configSchema } from './schema.ts';

/**
 * What a project may say only when the user trusts it: it runs something, writes somewhere, or
 * allows what cannot be undone.
 */
const NEED_TRUST: readonly string[] = ['notify', 'ledger', 'allow', 'plugins', 'prices'];

/** Whom the user trusts, and where that is written. */
export interface Trust {
  trust: readonly string[];
  home: string;
  /** The user's config file. */
  user: string;
}

/** What a project says, as far as the user trusts it: its files may have come with a clone. */
export function projectLayer(
  file: string,
  { trust, home, user }: Trust,
  problems: string[],
  schema = configSchema(),
): Layer {
  const folder = dirname(file);
  const trusted = trust.some((each) =>
    isBelow(realPath(folder), realPath(inHome(each, home, home))),
  );
  const how = `ignored unless you trust the project: add ${JSON.stringify(folder)} to trust in ${user}`;
  if (isCode(file) && !trusted) return refuse(file, `${how}, or use JSON`, problems);

  const { source, values } = fileLayer(file, problems, schema);
  const kept = Object.entries(values).filter(([key]) => {
    // Nobody says of himself that he is to be trusted.
    const why =
      key === 'trust'
        ? `ignored here; it can only be set in ${user}`
        : NEED_TRUST.includes(key) && !trusted
          ? how
          : undefined;
    if (why) problems.push(`${file}: ${key}: ${why}.`);
    return !why;
  });
  return { source, values: Object.fromEntries(kept) };
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
