/** The page exceeded its time limit. */
export class TooSlow extends Error {}

/** The promise, or an error after the time limit. */
export async function within<T>(
  milliseconds: number,
  promise: Promise<T>,
  otherwise: string,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(
      () => fail(new TooSlow(`${otherwise} within ${milliseconds} ms`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
    // A later rejection is of no interest.
    promise.catch(() => {});
  }
}
