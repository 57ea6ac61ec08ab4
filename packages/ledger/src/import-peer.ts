import { UnrutError } from '@unrut/engine/errors';

/**
 * Imports an optional package: the one installed next to Unrut, otherwise the current project's.
 * `install` is the package that the error tells the user to install.
 */
export async function importPeer<T>(
  name: string,
  part: string,
  install: string = name,
): Promise<T> {
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
    // A package found this way may be CommonJS, whose exports are all in its default export.
    return { ...found.default, ...found } as T;
  } catch (error) {
    throw new UnrutError(
      'missing-peer',
      `[${part}] ${name} is not installed. Run: npm install ${install}`,
      { cause: error },
    );
  }
}
