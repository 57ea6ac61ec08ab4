import type { Path } from './check.ts';

/** A key as it is written in a program: `detectors.cycle.laps`, `skip[1]`, `tools["a b"].poll`. */
export const keyText = (path: Path): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : /^[\w$-]+$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`))
    .join('')
    .replace(/^\./, '');
