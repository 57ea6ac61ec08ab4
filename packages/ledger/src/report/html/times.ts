/** `4 min 10 s`: the two largest units. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const units = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const first = units.findIndex(([value]) => value > 0);
  if (first < 0) return '0 s';
  return units
    .slice(first, first + 2)
    .filter(([value]) => value > 0)
    .map(([value, unit]) => `${value} ${unit}`)
    .join(' ');
}

/** `2026-03-04 14:05 UTC`; empty for an invalid time. */
export function momentText(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime())
    ? ''
    : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
