import { toFault } from '../redact/to-fault.ts';
import type { Fault } from '../signal.ts';

/** Runs what a detector or recovery brings along; when that throws, it is a fault and gives nothing. */
export function attemptPart<T>(where: string, faults: Fault[], what: () => T): T | undefined {
  try {
    return what();
  } catch (error) {
    faults.push(toFault(where, error));
    return undefined;
  }
}
