import { isObject, type JsonObject, textOf } from '@unrut/engine/json';
import type { Importer } from '@unrut/reading/importer';
import { contentBlocks } from '@unrut/reading/message-content';
import { kindOf } from '@unrut/reading/run-documents';

/** Cursor's transcripts, one message per line. They contain no times, ids or results. */
export const cursorTranscript: Importer = {
  name: 'cursor',
  reads:
    "Cursor's transcripts in `~/.cursor/projects/*/agent-transcripts` (calls without their results)",
  sample: 'written after its SDK',
  recognises: (first) =>
    first.some(isMessage) &&
    first.every((record) => !isObject(record) || isMessage(record) || record.type === 'turn_ended'),
  open(source) {
    let messages = 0;
    return {
      read(record) {
        if (isObject(record) && record.type === 'turn_ended') return;
        if (!isMessage(record)) {
          source.unknown(kindOf(record));
          return;
        }
        const run = source.run();
        const blocks = contentBlocks(record.message.content);
        if (record.role === 'user') {
          run.person(typedIn(blocks.map(({ text }) => textOf(text)).join('\n')));
          return;
        }
        const calls: string[] = [];
        const batch = `#${messages++}`;
        for (const { type, text, name, input } of blocks) {
          if (type === 'tool_use') {
            const id = `${batch}.${calls.length}`;
            calls.push(id);
            run.calls({ id, tool: textOf(name), args: input, batch });
          } else if (type === 'text' && textOf(text).trim() !== '') run.says(textOf(text));
          else if (type !== 'text') source.unknown(textOf(type) || 'block');
        }
        for (const id of calls) run.returns(id, {});
      },
    };
  },
};

/** Other agents' records have a type, and their calls an id. */
const isMessage = (record: unknown): record is JsonObject & { message: JsonObject } =>
  isObject(record) &&
  (record.role === 'user' || record.role === 'assistant') &&
  record.type === undefined &&
  isObject(record.message) &&
  Array.isArray(record.message.content) &&
  record.message.content.every(
    (block) => !isObject(block) || (block.id === undefined && block.tool_use_id === undefined),
  );

/** The user's text is in a tag, after the time. */
const typedIn = (text: string): string =>
  /<user_query>\s*([\s\S]*?)\s*<\/user_query>/.exec(text)?.[1] ?? text;
