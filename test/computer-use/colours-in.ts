import { readFileSync } from 'node:fs';
import { decode } from 'fast-png';

/** The colours of a picture inside a box, without its edge. One colour shows nothing. */
export function coloursIn(
  file: string,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): string[] {
  const picture = decode(readFileSync(file));
  const colours = new Set<string>();
  for (let row = Math.ceil(y) + 1; row < y + height - 1; row++)
    for (let column = Math.ceil(x) + 1; column < x + width - 1; column++) {
      const at = (row * picture.width + column) * picture.channels;
      colours.add(picture.data.slice(at, at + 3).join());
    }
  return [...colours];
}
