import { present } from '@unrut/engine/json';
import type { Returned } from './importer.ts';

/** The end of a call as the source states it, unchecked. */
export type ToldOfCall = { [Field in keyof Returned]: unknown } & Pick<Returned, 'refusedBy'>;

/**
 * Builds the result of a call. Unknown fields are left out, and so is an exit code or a duration
 * that is not a number.
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
