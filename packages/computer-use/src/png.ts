import { importPeer } from '@unrut/ledger/import-peer';
import type { Picture } from './frame.ts';

const decoder = (): Promise<typeof import('fast-png')> =>
  importPeer<typeof import('fast-png')>('fast-png', 'computer-use', 'playwright-core fast-png');

export async function decodePng(bytes: Uint8Array): Promise<Picture> {
  const { width, height, channels, data } = (await decoder()).decode(bytes);
  return { width, height, channels, data };
}

const GREY = 0x88;

/** Paints over rectangles (x, y, width, height) of an image. */
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
      for (let x = from; x < to; x++)
        data.fill(GREY, (y * width + x) * channels, (y * width + x) * channels + 3);
    }
  }
  return encode({ width, height, channels, data });
}

/** Scales an image down; each pixel is the mean of the pixels it replaces. */
export async function scalePng(bytes: Uint8Array, scale: number): Promise<Uint8Array> {
  const { decode, encode } = await decoder();
  const { width, height, channels, data } = decode(bytes);
  const [wide, high] = [
    Math.max(1, Math.floor(width * scale)),
    Math.max(1, Math.floor(height * scale)),
  ];
  const small = new Uint8Array(wide * high * channels);
  for (let y = 0; y < high; y++) {
    const [top, bottom] = [
      Math.floor((y * height) / high),
      Math.max(Math.floor(((y + 1) * height) / high), 1),
    ];
    for (let x = 0; x < wide; x++) {
      const [left, right] = [
        Math.floor((x * width) / wide),
        Math.max(Math.floor(((x + 1) * width) / wide), 1),
      ];
      for (let channel = 0; channel < channels; channel++) {
        let sum = 0;
        for (let row = top; row < bottom; row++)
          for (let column = left; column < right; column++)
            sum += data[(row * width + column) * channels + channel]!;
        small[(y * wide + x) * channels + channel] = Math.round(
          sum / Math.max(1, (bottom - top) * (right - left)),
        );
      }
    }
  }
  return encode({ width: wide, height: high, channels, data: small });
}

/** Crops an image to x, y, width, height. */
export async function cropPng(
  bytes: Uint8Array,
  part: readonly [number, number, number, number],
): Promise<Uint8Array> {
  const { decode, encode } = await decoder();
  const { width, height, channels, data } = decode(bytes);
  const [left, top] = [
    Math.min(width - 1, Math.max(0, Math.round(part[0]))),
    Math.min(height - 1, Math.max(0, Math.round(part[1]))),
  ];
  const [wide, high] = [
    Math.max(1, Math.min(width - left, Math.round(part[2]))),
    Math.max(1, Math.min(height - top, Math.round(part[3]))),
  ];
  const cut = new Uint8Array(wide * high * channels);
  for (let y = 0; y < high; y++) {
    const from = ((top + y) * width + left) * channels;
    cut.set(data.subarray(from, from + wide * channels) as Uint8Array, y * wide * channels);
  }
  return encode({ width: wide, height: high, channels, data: cut });
}
