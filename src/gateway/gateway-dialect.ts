import type { Dialect, Item, Note, SaidItem } from '../frameworks/dialect.ts';
import { messageParts } from '../hosts/reading/chat/message-parts.ts';
import type { Returned } from '../hosts/reading/importer.ts';
import { isObject, type JsonObject, listOf } from '../json.ts';
import { itemsOnce } from './known-messages.ts';

/** A provider's API: its bodies, and its streams of server-sent events. */
export interface GatewayDialect extends Dialect<JsonObject, JsonObject> {
  /** Whether a request to this path is a question to a model. */
  matches(path: string): boolean;
  isStreamed(body: JsonObject, path: string): boolean;
  /** What the request says of its user or thread: equal beginnings of others are then not taken for it. */
  scope?(body: JsonObject): string;
  /** Begins to read a stream. */
  open(): StreamReading;
  /** A whole response as a stream. */
  streamOf(response: JsonObject): string;
}

/** What an event of a stream brings. */
export interface StreamPiece {
  said: readonly SaidItem[];
  /** Calls, or what they cannot do without, begin with it; or the end does. */
  holds?: 'calls' | 'end' | undefined;
}

export interface StreamReading {
  /** Adds an event. */
  read(data: JsonObject): StreamPiece;
  /** What the events add up to. */
  response(): JsonObject;
  /** The events after those that came before the first call: of this response, or of another one that takes its place. */
  rest(response: JsonObject, isOther: boolean): string;
  /** The events that end the stream here, as a normal end. */
  cut(): string;
}

/** The items of a list of messages. A result's position is its message, and which of the results in it; `read` says more of its text. */
export function itemsIn(messages: unknown, read?: (result: string) => Returned): Item[] {
  const list = listOf(messages);
  const items: Item[] = [];
  const each = (message: unknown, i: number): Item[] => itemsOf(message, i, read);
  for (let i = 0; i < list.length; i++) {
    const own = itemsOnce(list[i], i, each);
    for (let j = 0; j < own.length; j++) items.push(own[j]!);
  }
  return items;
}

function itemsOf(message: unknown, i: number, read: ((result: string) => Returned) | undefined): Item[] {
  let results = 0;
  return (isObject(message) ? messageParts(message) : []).flatMap((part): Item[] => {
    switch (part.kind) {
      case 'person':
        return [{ kind: 'user', text: part.text }];
      case 'says':
      case 'thinks':
        return [{ kind: 'said', text: part.text, channel: part.kind === 'says' ? 'answer' : 'thinking' }];
      case 'calls':
        return [{ kind: 'call', id: part.id ?? '', tool: part.tool, args: part.args }];
      case 'returns': {
        const told = read && typeof part.returned.result === 'string' ? read(part.returned.result) : {};
        const { result, error, exitCode, refusedBy } = { ...part.returned, ...told };
        return [
          {
            kind: 'result',
            id: part.id ?? '',
            at: [i, results++],
            result,
            ...(error === undefined || error === false ? {} : { error }),
            ...(exitCode === undefined ? {} : { exitCode }),
            ...(refusedBy === undefined ? {} : { refusedBy }),
          },
        ];
      }
      default:
        return [];
    }
  });
}

export const saidIn = (message: JsonObject): SaidItem[] =>
  itemsOf(message, 0, undefined).filter((item): item is SaidItem => item.kind === 'said' && item.text !== '');

export const objectsOf = (value: unknown): JsonObject[] => listOf(value).filter(isObject);

/** The list with what `change` makes of each element that has notes, given by which of its results. */
export const withNotesOn = (list: unknown, notes: readonly Note[], change: (each: JsonObject, texts: Map<number, string>) => JsonObject) =>
  listOf(list).map((each, i) => {
    const texts = new Map(notes.flatMap(({ at, text }) => (at[0] === i ? [[at[1] ?? 0, text] as const] : [])));
    return texts.size > 0 && isObject(each) ? change(each, texts) : each;
  });

/** A text after a content, which is a text or a list of blocks. */
export const withText = (content: unknown, text: string, type = 'text'): unknown =>
  Array.isArray(content)
    ? [...content, { type, text }]
    : `${typeof content === 'string' ? content : JSON.stringify(content ?? '')}\n\n${text}`;

/** One event of a stream. */
export const event = (data: unknown, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

/** Part of an id of our own. */
export const ownId = (): string => `unrut_${crypto.randomUUID().replaceAll('-', '')}`;
