import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { claimFolder } from './claim-folder.ts';
import { FINAL_PICTURE, pictureName, replayPage } from './replay-page.ts';
import type { RunnerOptions } from './runner.ts';
import type { ScreenRunResult } from './trajectory.ts';

/**
 * Where a run is kept: a picture for each step and one of the end, `trajectory.json`, and
 * `index.html` to look at, which holds the pictures.
 */
export interface TrajectoryFolder extends Required<Pick<RunnerOptions, 'onStep' | 'onEnd'>> {
  /** Writes what is known at the end. */
  finish(result: ScreenRunResult): Promise<void>;
}

const PICTURE = /^(?:\d{3,}|final)\.png$/;
/** What a run leaves beside its `trajectory.json`. */
const isLeft = (name: string): boolean => name === 'index.html' || PICTURE.test(name);

/** Opens a folder for a run: makes it if need be, and takes away the pictures of the run before. */
export async function openTrajectoryFolder(folder: string): Promise<TrajectoryFolder> {
  await claimFolder(folder);
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isFile() && isLeft(entry.name)) await rm(join(folder, entry.name));
  const save = (saved: object): Promise<void> =>
    writeFile(
      join(folder, 'trajectory.json'),
      `${JSON.stringify({ version: 1, ...saved }, null, 2)}\n`,
    );
  // So that a run that breaks off is known again, too.
  await save({ trajectory: [] });
  let ended = false;
  return {
    async onStep({ step }, screenshot) {
      await writeFile(join(folder, pictureName(step)), await screenshot());
    },
    async onEnd(screenshot) {
      await writeFile(join(folder, FINAL_PICTURE), await screenshot());
      ended = true;
    },
    async finish(result) {
      await save(result);
      const shown = ended ? result : { ...result, final_frame: null };
      await writeFile(join(folder, 'index.html'), replayPage(shown, await picturesIn(folder)));
    },
  };
}

/** The pictures as addresses that hold them, so that the page can be sent alone. */
async function picturesIn(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of await readdir(folder))
    if (PICTURE.test(name))
      found.set(name, `data:image/png;base64,${await readFile(join(folder, name), 'base64')}`);
  return found;
}
