const NEWLINE = 10;
const RETURN = 13;

/**
 * Cuts a stream of server-sent events into its events, each with the blank line after it. Joined
 * again they are the stream, byte for byte.
 */
export async function* eventsOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let isBlank = true;
  for await (const bytes of stream) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let from = 0;
    let line = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, line)) {
      if (isBlank && isReturns(chunk, line, end)) {
        yield Buffer.concat([...held, chunk.subarray(from, end + 1)]);
        held = [];
        from = end + 1;
      }
      isBlank = true;
      line = end + 1;
    }
    isBlank &&= isReturns(chunk, line, chunk.length);
    if (from < chunk.length) held.push(chunk.subarray(from));
  }
  if (held.length > 0) yield Buffer.concat(held);
}

function isReturns(chunk: Buffer, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (chunk[i] !== RETURN) return false;
  return true;
}

/** The fields of an event that matter to a client. */
export interface ServerSentEvent {
  data: string;
  /** The kind of event; empty for a message. */
  name: string;
  id: string | undefined;
  /** Milliseconds to wait before connecting again. */
  retry: number | undefined;
}

/** Reads one event; `data` is empty for a comment or a mere id. */
export function readEvent(event: Buffer): ServerSentEvent {
  const data: string[] = [];
  let kind = '';
  let id: string | undefined;
  let retry: number | undefined;
  for (const [name, value] of fieldsOf(event)) {
    if (name === 'data') data.push(value);
    else if (name === 'event') kind = value;
    else if (name === 'id') id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) retry = Number(value);
  }
  return { data: data.join('\n'), name: kind, id, retry };
}

/** The same event with other data. */
export function withData(event: Buffer, data: string): Buffer {
  const others = fieldsOf(event).filter(([name]) => name !== 'data' && name !== '');
  const fields = [...others, ...data.split(/\r\n|\n|\r/).map((line) => ['data', line])];
  return Buffer.from(`${fields.map(([name, value]) => `${name}: ${value}\n`).join('')}\n`);
}

const fieldsOf = (event: Buffer): [name: string, value: string][] =>
  event
    .toString()
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .filter((line) => line !== '')
    .map((line) => {
      const colon = line.indexOf(':');
      return colon < 0
        ? [line, '']
        : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
    });
