/** Milliseconds of work before yielding. */
const LONGEST = 10;

/**
 * Divides long work into slices: call it often and await its result. Undefined: no need to yield
 * yet.
 */
export function createSlices(): () => Promise<void> | undefined {
  let began = performance.now();
  return () => {
    if (performance.now() - began < LONGEST) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        began = performance.now();
        resolve();
      }),
    );
  };
}
