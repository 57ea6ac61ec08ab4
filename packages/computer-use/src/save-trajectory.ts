import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { claimFolder } from './claim-folder.ts';
import { FINAL_PICTURE, pictureName, replayPage } from './replay-page.ts';
import type { RunnerOptions } from './runner.ts';
import type { ScreenRunResult } from './trajectory.ts';

/**
 * The folder of a run: a screenshot per step and a final one, `trajectory.json`, and `index.html`,
 * which embeds the screenshots.
 */
export interface TrajectoryFolder extends Required<Pick<RunnerOptions, 'onStep' | 'onEnd'>> {
  /** Writes the result. */
  finish(result: ScreenRunResult): Promise<void>;
}

const PICTURE = /^(?:\d{3,}|final)\.png$/;
/** Files that a run leaves besides `trajectory.json`. */
const isLeft = (name: string): boolean => name === 'index.html' || PICTURE.test(name);

/**
 * Opens a folder for a run: creates it if necessary, and removes the screenshots of the previous
 * run.
 */
export async function openTrajectoryFolder(folder: string): Promise<TrajectoryFolder> {
  await claimFolder(folder);
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isFile() && isLeft(entry.name)) await rm(join(folder, entry.name));
  const save = (saved: object): Promise<void> =>
    writeFile(
      join(folder, 'trajectory.json'),
      `${JSON.stringify({ version: 1, ...saved }, null, 2)}\n`,
    );
  // Written first, so that the folder of an interrupted run is recognised.
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

/** The screenshots as data URLs, so that the page works without other files. */
async function picturesIn(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of await readdir(folder))
    if (PICTURE.test(name))
      found.set(name, `data:image/png;base64,${await readFile(join(folder, name), 'base64')}`);
  return found;
}
