import type { Picture } from './frame.ts';
import { importPeer } from './import-peer.ts';

const decoder = (): Promise<typeof import('fast-png')> => importPeer<typeof import('fast-png')>('fast-png');

export async function decodePng(bytes: Uint8Array): Promise<Picture> {
  const { width, height, channels, data } = (await decoder()).decode(bytes);
  return { width, height, channels, data };
}

const GREY = 0x88;

/** The picture with these rectangles (x, y, width, height) painted over. */
export async function paintOver(
  bytes: Uint8Array,
  rectangles: readonly (readonly [number, number, number, number])[],
): Promise<Uint8Array> {
  if (rectangles.length === 0) return bytes;
  const { decode, encode } = await decoder();
  const picture = decode(bytes);
  const { width, height, channels, data } = picture;
  for (const [left, top, wide, high] of rectangles) {
    const from = Math.max(0, Math.floor(left));
    const to = Math.min(width, Math.ceil(left + wide));
    for (let y = Math.max(0, Math.floor(top)); y < Math.min(height, Math.ceil(top + high)); y++) {
      for (let x = from; x < to; x++) data.fill(GREY, (y * width + x) * channels, (y * width + x) * channels + 3);
    }
  }
  return encode({ width, height, channels, data });
}
