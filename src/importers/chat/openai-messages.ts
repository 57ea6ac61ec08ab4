import type { Importer } from '../../hosts/reading/importer.ts';
import { chatDialect } from './chat-dialect.ts';
import { readConversations } from './conversation-reader.ts';

/** Chat messages with `tool_calls`, ShareGPT turns and items of the Responses API, in whatever they are kept. */
export const openaiMessages: Importer = {
  name: 'openai-messages',
  reads: 'chat messages with `tool_calls`, items of the Responses API, ShareGPT turns: a list, one a line, or a conversation a line',
  sample: 'SDK types and public samples',
  recognises: (first) => chatDialect(first) === 'openai',
  open: readConversations,
};
