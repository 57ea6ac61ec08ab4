/** Pixels of a screenshot, row by row. */
export interface Picture {
  width: number;
  height: number;
  /** 3 for RGB, 4 for RGBA. */
  channels: number;
  data: Uint8Array | Uint8ClampedArray | Uint16Array;
}

/** A screenshot reduced to what is needed for comparisons. */
export interface Frame {
  /** Perceptual hash of 256 bits, in hexadecimal. */
  hash: string;
  /** One hash per tile, row by row. */
  tiles: Uint32Array;
  columns: number;
}

/** Small enough to separate a clock from the field next to it. */
const TILE = 16;
const GRID = 16;

/** Reads a picture in one pass. */
export function readFrame({ width, height, channels, data }: Picture): Frame {
  const columns = Math.ceil(width / TILE);
  const tiles = new Uint32Array(columns * Math.ceil(height / TILE)).fill(0x811c9dc5);
  const light = new Float64Array((GRID + 1) * GRID);
  const counts = new Uint32Array((GRID + 1) * GRID);
  for (let y = 0, at = 0; y < height; y++) {
    const tileRow = (y >> 4) * columns;
    const cellRow = Math.floor((y * GRID) / height) * (GRID + 1);
    for (let x = 0; x < width; x++, at += channels) {
      const red = data[at]!;
      const green = data[at + 1]!;
      const blue = data[at + 2]!;
      const tile = tileRow + (x >> 4);
      tiles[tile] = Math.imul(tiles[tile]! ^ ((red << 16) | (green << 8) | blue), 0x01000193);
      const cell = cellRow + Math.floor((x * (GRID + 1)) / width);
      light[cell]! += 3 * red + 6 * green + blue;
      counts[cell]!++;
    }
  }
  return {
    hash: gradientHash(light.map((sum, cell) => sum / Math.max(1, counts[cell]!))),
    tiles,
    columns,
  };
}

/** One bit per pair of neighbours in a grid: whether the right one is darker. */
function gradientHash(light: Float64Array): string {
  let hash = '';
  for (let row = 0; row < GRID; row++) {
    for (let start = 0; start < GRID; start += 4) {
      let digit = 0;
      for (let column = start; column < start + 4; column++) {
        const at = row * (GRID + 1) + column;
        digit = (digit << 1) | (light[at]! > light[at + 1]! ? 1 : 0);
      }
      hash += digit.toString(16);
    }
  }
  return hash;
}

/** Tiles, by index. */
export type Tiles = ReadonlySet<number>;

/** The tiles in which two frames differ; null if their sizes differ. */
export function differences(one: Frame, other: Frame): Set<number> | null {
  if (one.tiles.length !== other.tiles.length || one.columns !== other.columns) return null;
  const found = new Set<number>();
  for (let i = 0; i < one.tiles.length; i++) if (one.tiles[i] !== other.tiles[i]) found.add(i);
  return found;
}

/**
 * Number of tiles in which two frames differ, without the excluded ones; infinite if their sizes
 * differ.
 */
export function changedTiles(one: Frame, other: Frame, without: Tiles): number {
  let changed = 0;
  for (const tile of differences(one, other) ?? []) if (!without.has(tile)) changed++;
  return one.tiles.length === other.tiles.length ? changed : Number.POSITIVE_INFINITY;
}

/** Whether two frames are equal in every pixel, without the excluded tiles. */
export function isEqual(one: Frame, other: Frame, without: Tiles): boolean {
  return changedTiles(one, other, without) === 0;
}

/** A digest of every pixel, without the excluded tiles. */
export function digestOf({ tiles, columns }: Frame, without: Tiles): string {
  let low = 0x811c9dc5 ^ columns;
  let high = 0x9e3779b9;
  for (let i = 0; i < tiles.length; i++) {
    const tile = without.has(i) ? 0 : tiles[i]!;
    low = Math.imul(low ^ tile, 0x01000193);
    high = Math.imul(high ^ tile, 0x85ebca6b);
    high ^= high >>> 13;
  }
  return (low >>> 0).toString(16).padStart(8, '0') + (high >>> 0).toString(16).padStart(8, '0');
}

/** The tiles of the square around a point. */
export function around(
  { x, y }: { x: number; y: number },
  side: number,
  { tiles, columns }: Frame,
): Set<number> {
  const found = new Set<number>();
  const half = side / 2;
  for (let row = Math.floor((y - half) / TILE); row <= Math.floor((y + half) / TILE); row++) {
    for (
      let column = Math.floor((x - half) / TILE);
      column <= Math.floor((x + half) / TILE);
      column++
    ) {
      const at = row * columns + column;
      if (row >= 0 && column >= 0 && column < columns && at < tiles.length) found.add(at);
    }
  }
  return found;
}

/** These tiles and their neighbours, two to each side and one above and below. */
export function nextTo(some: Tiles, { tiles, columns }: Frame): Set<number> {
  const found = new Set<number>();
  for (const tile of some) {
    const column = tile % columns;
    for (let row = -1; row <= 1; row++) {
      for (let side = -2; side <= 2; side++) {
        const at = tile + row * columns + side;
        if (column + side >= 0 && column + side < columns && at >= 0 && at < tiles.length)
          found.add(at);
      }
    }
  }
  return found;
}
