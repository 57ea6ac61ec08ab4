import { describe, expect, test } from 'vitest';
import { checkDictionaries, decodeBase, decodeDelta, encodeState } from './state-codec.ts';

/** Text that compresses badly by itself. */
const noise = (seed: number, length: number): Buffer =>
  Buffer.from(
    Array.from({ length }, (_, i) =>
      ((Math.imul(i + 1, 2_654_435_761) ^ seed) >>> 0).toString(36),
    ).join(' '),
  );

describe('a state as base and difference', () => {
  test('comes back as it was, with or without a base', () => {
    const first = noise(1, 2000);
    const fresh = encodeState(first, undefined);
    expect(decodeBase({ codec: 2, base: fresh.base!, delta: fresh.delta }).equals(first)).toBe(
      true,
    );
    const next = Buffer.concat([first, Buffer.from('and more')]);
    const { base, delta, baseText } = encodeState(next, fresh.baseText);
    expect([base, delta.length < 100, baseText.equals(first)]).toEqual([undefined, true, true]);
    expect(decodeDelta(delta, baseText).equals(next)).toBe(true);
  });

  test('gets a new base when it differs by much', () => {
    const { base, delta, baseText } = encodeState(noise(2, 3000), noise(1, 3000));
    expect([base !== undefined, delta.length, baseText.equals(noise(2, 3000))]).toEqual([
      true,
      0,
      true,
    ]);
  });

  test('reads what was written as plain text, and nothing', () => {
    expect(decodeBase({ codec: 0, base: Buffer.from('{}'), delta: null }).toString()).toBe('{}');
    expect(decodeDelta(null, decodeBase({ codec: 2, base: null, delta: null })).length).toBe(0);
  });

  test('needs a Node whose zstd takes dictionaries, as this one does', () => {
    expect(checkDictionaries).not.toThrow();
  });
});
