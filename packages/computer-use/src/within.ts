/** The page took longer than it may. */
export class TooSlow extends Error {}

/** The promise, or an error once the time is over. */
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
    // Whatever it still says when nobody waits any more is of no interest.
    promise.catch(() => {});
  }
}
