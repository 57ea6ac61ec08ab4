import { present } from '@unrut/engine/json';
import type { Returned } from './importer.ts';

/** What a source tells of a call's end, as it stands there. */
export type ToldOfCall = { [Field in keyof Returned]: unknown } & Pick<Returned, 'refusedBy'>;

/**
 * What came of a call. What is not told is left out, and so is an exit code or a duration that is
 * no number.
 */
export const returnedWith = ({
  result,
  error,
  exitCode,
  durationMs,
  refusedBy,
}: ToldOfCall): Returned => ({
  ...(result === undefined ? {} : { result }),
  ...(error === undefined ? {} : { error }),
  ...(typeof exitCode === 'number' ? { exitCode } : {}),
  ...(typeof durationMs === 'number' ? { durationMs } : {}),
  ...present({ refusedBy }),
});
