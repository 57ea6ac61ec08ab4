import { toFault } from '../redact/to-fault.ts';
import type { Fault } from '../signal.ts';

/** Runs code of a detector or recovery. If it throws, records a fault and returns undefined. */
export function attemptPart<T>(where: string, faults: Fault[], what: () => T): T | undefined {
  try {
    return what();
  } catch (error) {
    faults.push(toFault(where, error));
    return undefined;
  }
}
