import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UnrutError } from '../errors.ts';
import { pictureName, replayPage } from './replay-page.ts';
import type { RunnerOptions } from './runner.ts';
import type { RunResult } from './trajectory.ts';

/** Where a run is kept: a picture for each step, `trajectory.json`, and `index.html` to look at. */
export interface TrajectoryFolder {
  onStep: NonNullable<RunnerOptions['onStep']>;
  /** Writes what is known at the end. */
  finish(result: RunResult): Promise<void>;
}

/** Opens a folder for a run, and makes it if need be. */
export async function openTrajectoryFolder(folder: string): Promise<TrajectoryFolder> {
  await mkdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new UnrutError('unwritable', `[computer-use] Cannot make the folder ${folder}: ${error.code}. Name another with --out.`, {
      cause: error,
    });
  });
  return {
    async onStep({ step }, screenshot) {
      await writeFile(join(folder, pictureName(step)), await screenshot());
    },
    async finish(result) {
      await writeFile(join(folder, 'trajectory.json'), `${JSON.stringify({ version: 1, ...result }, null, 2)}\n`);
      await writeFile(join(folder, 'index.html'), replayPage(result));
    },
  };
}
