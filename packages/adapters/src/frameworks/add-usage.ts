import { isObject } from '@unrut/engine/json';

/** Counts of both, field by field; what only one of them has stays. */
export function addUsage(one: unknown, other: unknown): unknown {
  if (typeof one === 'number' && typeof other === 'number') return one + other;
  if (!isObject(one) || !isObject(other)) return other ?? one;
  const { raw, ...counts } = { ...one, ...other };
  return {
    ...Object.fromEntries(Object.keys(counts).map((key) => [key, addUsage(one[key], other[key])])),
    ...(raw === undefined ? {} : { raw: other.raw }),
  };
}
