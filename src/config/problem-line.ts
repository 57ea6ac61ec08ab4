import type { Path } from './check.ts';

/** Whether it cannot be known, when this is wrong, if Unrut may act: then it does not. Anything else is left out by itself. */
export const isDecisive = (path: Path): boolean => path.length === 0 || path[0] === 'shadow';

/** Where something is wrong, what, and what comes of it. */
export const problemLine = (where: string, path: Path, what: string): string =>
  `${where}: ${what}; ${isDecisive(path) ? 'until that is mended, Unrut only records' : 'it is left out'}.`;
