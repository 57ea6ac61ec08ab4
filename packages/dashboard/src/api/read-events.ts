/** An event of a stream of server-sent events. */
export interface ServerEvent {
  name: string;
  id: string;
  data: string;
}

/** Reads such a stream. Comments, such as the beats that keep a connection open, give `null`. */
export async function* readEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<ServerEvent | null> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    const blocks = (rest + chunk.value).replaceAll('\r\n', '\n').split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) yield eventOf(block);
  }
}

function eventOf(block: string): ServerEvent | null {
  const event: ServerEvent = { name: 'message', id: '', data: '' };
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, field, value = ''] = /^([a-z]+): ?(.*)$/s.exec(line) ?? [];
    if (field === 'event') event.name = value;
    else if (field === 'id') event.id = value;
    else if (field === 'data') data.push(value);
  }
  return data.length === 0 && event.name === 'message' ? null : { ...event, data: data.join('\n') };
}
