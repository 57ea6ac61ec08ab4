/**
 * Length of the longest tail in which every key equals the one `period` before it; 0 when there are
 * fewer keys than that.
 */
export function tail(keys: readonly string[], period: number): number {
  if (keys.length < period) return 0;
  let length = period;
  while (
    length < keys.length &&
    keys[keys.length - 1 - length] === keys[keys.length - 1 - length + period]
  )
    length++;
  return length;
}
