import type { Importer } from '../../hosts/reading/importer.ts';
import { chatDialect } from './chat-dialect.ts';
import { readConversations } from './conversation-reader.ts';

/** Messages with `tool_use` and `tool_result` blocks, in whatever they are kept. */
export const anthropicMessages: Importer = {
  name: 'anthropic-messages',
  reads:
    'messages with `tool_use` and `tool_result` blocks, also of Cline and Roo, with calls as blocks or as tags in text: a list, one a line, or a conversation a line',
  sample: 'SDK types and public samples',
  recognises: (first) => chatDialect(first) === 'anthropic',
  open: readConversations,
};
