import { isObject, type JsonObject, textOf } from '../../json.ts';
import { contentBlocks } from '../content-blocks.ts';

/** How texts begin that Codex puts under a user's name. */
const HARNESS = [
  '<environment_context>',
  '<user_instructions>',
  '# AGENTS.md instructions',
  '<INSTRUCTIONS>',
  '<turn_aborted>',
  '<subagent_notification>',
  '<skill>',
  '<permissions instructions>',
  '<collaboration_mode>',
  '<model_switch>',
  '<personality_spec>',
  '<hook_prompt',
  'Another language model started to solve this problem',
];

/** What a person typed in a user's message; nothing when the harness wrote it. Newer versions say of each part whose it is. */
export function codexTyped(message: JsonObject): string | undefined {
  const blocks = contentBlocks(message.content);
  const about = message.internal_chat_message_metadata_passthrough;
  const authors = isObject(about) && Array.isArray(about.content_item_metadata) ? about.content_item_metadata.map(authorOf) : [];
  const typed = blocks.filter((block, i) =>
    authors[i] === undefined ? !HARNESS.some((beginning) => textOf(block.text).trimStart().startsWith(beginning)) : authors[i] === 'user',
  );
  if (typed.length === 0) return undefined;
  return typed
    .map((block) => textOf(block.text))
    .filter((text) => text !== '')
    .join('\n');
}

const authorOf = (about: unknown): unknown => (isObject(about) && isObject(about.provenance) ? about.provenance.type : undefined);
