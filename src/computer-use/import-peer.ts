import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UnrutError } from '../errors.ts';

/** A package that only this part needs: the one beside us, else the one of the project that we run in. */
export async function importPeer<T>(name: string): Promise<T> {
  try {
    return (await import(name)) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
  }
  try {
    const path = createRequire(join(process.cwd(), 'package.json')).resolve(name);
    const found = (await import(pathToFileURL(path).href)) as { default?: object };
    // What is found this way may be CommonJS, all of whose exports are its default.
    return { ...found.default, ...found } as T;
  } catch (error) {
    throw new UnrutError('missing-peer', `[computer-use] ${name} is not installed. Run: npm install playwright-core fast-png`, {
      cause: error,
    });
  }
}
