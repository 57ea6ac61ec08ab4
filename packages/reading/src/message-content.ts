import { hash32 } from '@unrut/engine/hash';
import { isObject, type JsonObject, objectOf, objectsOf, textOf } from '@unrut/engine/json';

/** The text of a message's content: a text, or the text parts of a list. */
export function messageText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (isObject(content)) return partText(content);
  if (!Array.isArray(content)) return '';
  return content
    .map((part) => (isObject(part) ? partText(part) : textOf(part)))
    .filter((text) => text !== '')
    .join('\n');
}

const partText = ({ text, refusal }: JsonObject): string => textOf(text) || textOf(refusal);

/**
 * A tool's result as the model saw it, with a short name in the place of each picture: the same
 * name for the same picture.
 */
export function resultContent(content: unknown): unknown {
  const inside = Array.isArray(content) ? content : [content];
  if (!inside.some(pictureIn)) return content;
  return inside.map((part: unknown) => {
    const data = pictureIn(part);
    return data === undefined ? part : { type: 'text', text: `(picture ${nameOf(data)})` };
  });
}

/** The data or address of a picture, as the model APIs write it. */
function pictureIn(part: unknown): string | undefined {
  if (!isObject(part) || !/image|screenshot/.test(textOf(part.type))) return undefined;
  const { source, image_url: address, data, image } = part;
  if (isObject(source)) return textOf(source.data) || textOf(source.url);
  if (isObject(address)) return textOf(address.url);
  return textOf(address) || textOf(data) || textOf(image) || textOf(part.file_id);
}

const SAMPLES = 256;

/** Letters only: what holds digits may be taken for an id, and masked. */
function nameOf(data: string): string {
  const stride = Math.max(1, Math.floor(data.length / SAMPLES));
  let sample = '';
  for (let i = 0; i < data.length; i += stride) sample += data[i];
  const hash = hash32(sample, data.length).toString(16);
  return hash.replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!);
}

/** The blocks of a message's content; a bare text is one block of text. */
export const contentBlocks = (content: unknown): JsonObject[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content);

/** Joins parts that are all text; returns anything else unchanged. */
export function oneText(content: unknown): unknown {
  if (!Array.isArray(content) || content.length === 0) return content;
  const texts = content.map((part) => (typeof part === 'string' ? part : objectOf(part).text));
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : content;
}
