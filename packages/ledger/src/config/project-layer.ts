import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { isBelow } from '../people/said.ts';
import { fileLayer, isCode, refuse } from './file-layer.ts';
import { inHome } from './find-config.ts';
import type { Layer } from './layers.ts';
import { configSchema } from './schema.ts';

/**
 * Keys that a project may set only if the user trusts it: they run programs, write files or allow
 * irreversible actions.
 */
const NEED_TRUST: readonly string[] = ['notify', 'ledger', 'allow', 'plugins', 'prices'];

/** The projects that the user trusts, and the file that lists them. */
export interface Trust {
  trust: readonly string[];
  home: string;
  /** The user's config file. */
  user: string;
}

/**
 * The project's settings that the user's trust allows. The files may have come with a cloned
 * repository.
 */
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
    // A project cannot declare itself trusted.
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
