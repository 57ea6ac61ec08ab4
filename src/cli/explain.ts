/** `unrut explain`. Returns the exit code. */
export async function explain(_args: readonly string[]): Promise<number> {
  throw new Error('not written yet');
}
