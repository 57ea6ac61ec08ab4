import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { whyOf } from '../../redact/reason.ts';

/** Why nothing can be written to a file, in a few words; nothing when it can. Where there is none yet, its folder counts. Makes neither. */
export function whyUnwritable(path: string): string | undefined {
  const missing = whyClosed(path, constants.W_OK);
  if (missing !== undefined && missing !== 'ENOENT') return whyOf({ code: missing, message: missing });
  // SQLite writes beside the file too.
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const code = whyClosed(`${folder}/`, constants.W_OK | constants.X_OK);
    if (code === undefined) return undefined;
    if (code !== 'ENOENT' || folder === dirname(folder)) return `its folder ${folder} is closed (${code})`;
  }
}

/** The code of the error that stands against it. */
function whyClosed(path: string, mode: number): string | undefined {
  try {
    accessSync(path, mode);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}
