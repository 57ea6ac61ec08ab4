import type { JsonObject } from '@unrut/engine/json';
import { PbfReader } from 'pbf';

/** The fields of a message by number. Unlisted fields are skipped. */
export type ProtobufMessage = Readonly<Record<number, ProtobufField>>;

/** A field's name in OTLP's JSON, and its type. A function, since messages can be recursive. */
export interface ProtobufField {
  name: string;
  type:
    | 'string'
    | 'hex'
    | 'base64'
    | 'fixed64'
    | 'int64'
    | 'enum'
    | 'bool'
    | 'double'
    | (() => ProtobufMessage);
  /** A repeated field. */
  isList?: true;
}

const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;
const WIRE = {
  string: LENGTH,
  hex: LENGTH,
  base64: LENGTH,
  fixed64: FIXED64,
  double: FIXED64,
  int64: VARINT,
  enum: VARINT,
  bool: VARINT,
};

/** The default depth limit of the official Protocol Buffers libraries. */
const MAX_DEPTH = 100;

/**
 * Decodes a Protocol Buffers message to its JSON form. Throws if the bytes are invalid. `count` is
 * called before each field, since millions of messages take few bytes.
 */
export function readProtobuf(
  bytes: Uint8Array,
  message: ProtobufMessage,
  count: () => void,
): JsonObject {
  const reader = new PbfReader(bytes);
  return readMessage({ reader, count }, message, reader.length, 0);
}

interface Reading {
  reader: PbfReader;
  count(): void;
}

function readMessage(
  reading: Reading,
  message: ProtobufMessage,
  end: number,
  depth: number,
): JsonObject {
  const { reader, count } = reading;
  if (depth > MAX_DEPTH) throw new Error(`messages are nested more than ${MAX_DEPTH} levels deep`);
  const read: JsonObject = {};
  while (reader.pos < end) {
    count();
    const number = reader.nextField(end);
    if (number === 0) throw new Error('a field has the number 0');
    const field = message[number];
    // A field of another wire type is unknown to this table.
    if (!field || reader.type !== wireOf(field)) {
      reader.skip(reader.type);
      if (reader.pos > end) throw cutShort();
      continue;
    }
    const stop = reader.type === LENGTH ? lengthOf(reader, end) : end;
    const { name, type, isList } = field;
    const value =
      typeof type === 'function'
        ? readMessage(reading, type(), stop, depth + 1)
        : readValue(reader, type, stop);
    if (reader.pos > stop) throw cutShort();
    if (!isList) read[name] = value;
    else if (Array.isArray(read[name])) read[name].push(value);
    else read[name] = [value];
  }
  return read;
}

const wireOf = ({ type }: ProtobufField): number =>
  typeof type === 'function' ? LENGTH : WIRE[type];

const cutShort = (): Error => new Error('the bytes end in the middle of a message');

/** The end of a length-delimited value. Pbf alone would read beyond the end of its message. */
function lengthOf(reader: PbfReader, end: number): number {
  const stop = reader.readVarint() + reader.pos;
  if (!(stop <= end)) throw cutShort();
  return stop;
}

function readValue(
  reader: PbfReader,
  type: Exclude<ProtobufField['type'], () => ProtobufMessage>,
  stop: number,
): unknown {
  switch (type) {
    case 'string':
    case 'hex':
    case 'base64': {
      const bytes = Buffer.from(
        reader.buf.buffer,
        reader.buf.byteOffset + reader.pos,
        stop - reader.pos,
      );
      reader.pos = stop;
      return bytes.toString(type === 'string' ? 'utf8' : type);
    }
    case 'fixed64': {
      // As text: nanoseconds since 1970 exceed the precision of a number.
      const value = reader.dataView.getBigUint64(reader.pos, true);
      reader.pos += 8;
      return String(value);
    }
    case 'double':
      return reader.readDouble();
    case 'bool':
      return reader.readBoolean();
    default:
      return reader.readVarint(true);
  }
}
