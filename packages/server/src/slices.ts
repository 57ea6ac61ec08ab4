/** Milliseconds of work after which others get a turn. */
const LONGEST = 10;

/**
 * Divides long work into slices: call it often, and wait for what it gives. Nothing means that
 * there is still time.
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
