import { PbfReader, PbfWriter } from 'pbf';

/** A message of Protocol Buffers. */
function written(write: (writer: PbfWriter) => void): Uint8Array {
  const writer = new PbfWriter();
  write(writer);
  return writer.finish().slice();
}

/** A message that holds nothing but this field. */
export const field = (tag: number, value: Uint8Array): Uint8Array =>
  written((writer) => writer.writeBytesField(tag, value));

/** A request of one span, with this in the span. */
export const requestOf = (write: (span: PbfWriter) => void): Uint8Array =>
  field(1, field(2, field(2, written(write))));

/** An attribute with this as its value. */
export const attribute = (key: string, value: Uint8Array): Uint8Array =>
  written((writer) => {
    writer.writeStringField(1, key);
    writer.writeBytesField(2, value);
  });

/** The span of a call. */
export const CALL = requestOf((writer) => {
  writer.writeBytesField(1, new Uint8Array(16).fill(7));
  writer.writeBytesField(2, new Uint8Array(8).fill(8));
  writer.writeStringField(5, 'execute_tool Bash');
  writer.writeFixed64Field(7, 1_767_225_600_000_000_000);
  writer.writeFixed64Field(8, 1_767_225_601_000_000_000);
  for (const [key, value] of Object.entries({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'Bash',
  }))
    writer.writeBytesField(
      9,
      attribute(
        key,
        written((text) => text.writeStringField(1, value)),
      ),
    );
});

/** The number and the text of a `Status` or of a partial success. */
export function said(bytes: Uint8Array): { code: number; message: string } {
  const read = { code: 0, message: '' };
  return new PbfReader(bytes).readFields((tag, into: typeof read, reader) => {
    if (tag === 1) into.code = reader.readVarint();
    if (tag === 2) into.message = reader.readString();
  }, read);
}
