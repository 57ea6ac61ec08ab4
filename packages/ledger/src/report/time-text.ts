const two = (value: number): string => String(value).padStart(2, '0');

/** `2026-11-16`, here. */
export function day(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** `05:19:33`, here. */
export function clock(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
}

const UNITS: readonly (readonly [milliseconds: number, unit: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
];

/** `22 min`, `3 h`: the largest unit that is at least one. */
export function lasting(milliseconds: number): string {
  const [length, unit] = UNITS.find(([each]) => milliseconds >= each) ?? [1000, 's'];
  return `${Math.floor(Math.max(0, milliseconds) / length)} ${unit}`;
}
