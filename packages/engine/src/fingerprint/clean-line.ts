const ESCAPE = 0x1b;
const RETURN = 0x0d;
const BACKSPACE = 0x08;

/**
 * Reduces a line, in place, to what a terminal would show: no colours, and only the last state of a
 * redrawn progress bar. Returns the new end.
 */
export function cleanLine(bytes: Uint8Array, start: number, end: number): number {
  let to = start;
  let i = start;
  while (i < end) {
    const byte = bytes[i]!;
    if (byte === ESCAPE) i = pastEscape(bytes, i, end);
    else if (byte === RETURN) {
      i++;
      // A carriage return before the newline is part of the line end; any other restarts the line.
      if (i < end) to = start;
    } else if (byte === BACKSPACE) {
      i++;
      if (to > start) to--;
    } else {
      bytes[to++] = byte;
      i++;
    }
  }
  return to;
}

/**
 * The index after the escape sequence at `from`: CSI up to its final byte, OSC up to BEL or ST, any
 * other one byte.
 */
function pastEscape(bytes: Uint8Array, from: number, end: number): number {
  let i = from + 1;
  if (bytes[i] === 0x5b) {
    i++;
    while (i < end && (bytes[i]! < 0x40 || bytes[i]! > 0x7e)) i++;
    return i + 1;
  }
  if (bytes[i] === 0x5d) {
    while (i < end && bytes[i] !== 0x07 && bytes[i] !== ESCAPE) i++;
    return bytes[i] === ESCAPE ? i + 2 : i + 1;
  }
  return i + 1;
}
