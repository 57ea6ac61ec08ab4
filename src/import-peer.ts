import { UnrutError } from './errors.ts';

/** A package that only one part needs: the one beside us, else the one of the project that we run in. `install` is what to install where there is none. */
export async function importPeer<T>(name: string, part: string, install: string = name): Promise<T> {
  try {
    return (await import(name)) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
  }
  try {
    const { createRequire } = process.getBuiltinModule('node:module');
    const { pathToFileURL } = process.getBuiltinModule('node:url');
    const path = createRequire(`${process.cwd()}/package.json`).resolve(name);
    const found = (await import(pathToFileURL(path).href)) as { default?: object };
    // What is found this way may be CommonJS, all of whose exports are its default.
    return { ...found.default, ...found } as T;
  } catch (error) {
    throw new UnrutError('missing-peer', `[${part}] ${name} is not installed. Run: npm install ${install}`, { cause: error });
  }
}
