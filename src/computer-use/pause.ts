/** Waits, unless it is called off. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      done();
    };
    const timer = setTimeout(finish, milliseconds);
    signal?.addEventListener('abort', finish);
    if (signal?.aborted) finish();
  });
}
