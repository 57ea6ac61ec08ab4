/** Shapes of tokens that change without meaning anything: times, addresses, temporary paths. */

const DASH = 45;
const SLASH = 47;

export const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;

/** 0x7ffe… */
export const isAddress = (bytes: Uint8Array, start: number): boolean =>
  bytes[start] === 48 && (bytes[start + 1]! | 32) === 120;

export const isPercent = (bytes: Uint8Array, end: number): boolean =>
  bytes[end] === 37 || (bytes[end] === 32 && bytes[end + 1] === 37);

/** `9 × retrying`. */
export const isTimes = (bytes: Uint8Array, end: number): boolean => {
  const sign = bytes[end] === 32 ? end + 1 : end;
  return bytes[sign] === 0xc3 && bytes[sign + 1] === 0x97;
};

/** 10 or 13 digits: seconds or milliseconds between 2017 and 2033. */
export function isEpoch(bytes: Uint8Array, start: number, length: number): boolean {
  if (length !== 10 && length !== 13) return false;
  return bytes[start] === 49 && bytes[start + 1]! >= 53 && bytes[start + 1]! <= 57;
}

/** 2026-11-16T… A date without a time is content. */
export function isIsoTime(bytes: Uint8Array, start: number, length: number): boolean {
  if (length < 16 || bytes[start + 4] !== DASH || bytes[start + 7] !== DASH) return false;
  const separator = bytes[start + 10];
  return (
    isDigit(bytes[start]!) && isDigit(bytes[start + 3]!) && (separator === 84 || separator === 116)
  );
}

/**
 * A file named after the time it was written, `page-2026-11-16T07-22-09-776Z.yml`: it never occurs
 * twice.
 */
export function isStamped(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start + 10; i < end - 8; i++) {
    if (bytes[i] !== 84 || !isDigit(bytes[i - 1]!) || !isDigit(bytes[i + 1]!)) continue;
    if (isIsoTime(bytes, i - 10, 19) && bytes[i + 3] === DASH && bytes[i + 6] === DASH) return true;
  }
  return false;
}

/** A path in a folder for temporary files. */
export function isTemporary(bytes: Uint8Array, start: number, end: number): boolean {
  if (start === 0 || bytes[start - 1] !== SLASH) return false;
  return (
    startsWith(bytes, start, end, 'tmp/') ||
    startsWith(bytes, start, end, 'var/folders/') ||
    startsWith(bytes, start, end, 'private/var/folders/')
  );
}

export function startsWith(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (end - start < text.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false;
  return true;
}
