import type { JsonObject } from '@unrut/engine/json';
import { roleOf } from '@unrut/reading/chat/api-parts';
import { messageParts } from '@unrut/reading/chat/message-parts';
import type { Part } from '@unrut/reading/chat/part';
import { textResult } from '@unrut/reading/chat/person-text';
import type { Returned } from '@unrut/reading/importer';
import { contentBlocks, messageText } from '@unrut/reading/message-content';
import { returnedWith } from '@unrut/reading/returned-with';

/** Tools of Cline and related agents (Roo Code, Kilo Code). Other tags may be XML content. */
const TOOLS =
  'execute_command read_file read_file_range write_to_file replace_in_file apply_diff edit_file insert_content insert_code_block search_and_replace search_files list_files list_code_definition_names codebase_search browser_action use_mcp_tool access_mcp_resource load_mcp_documentation ask_followup_question attempt_completion plan_mode_respond new_task switch_mode fetch_instructions update_todo_list web_fetch web_search generate_image run_slash_command use_skill new_rule report_bug condense'.split(
    ' ',
  );
const CALL = new RegExp(`^[ \\t]*<(${TOOLS.join('|')})>`, 'm');
const ARGUMENT = /<(\w+)>([\s\S]*?)<\/\1>/g;
const THOUGHT = /^\s*<thinking>([\s\S]*?)<\/thinking>/;
const EXIT = /^Command executed [\s\S]{0,500}?Exit code: (\d+)\nOutput:/;

/**
 * The parts of a message in which older versions of Cline and related agents write calls as tags:
 * `<read_file>\n<path>a.ts</path>\n</read_file>`.
 */
export function taggedParts(message: JsonObject): Part[] {
  const parts = messageParts(message);
  switch (roleOf(message)) {
    case 'assistant':
      return parts.flatMap((part) => (part.kind === 'says' ? saidParts(part.text) : [part]));
    case 'user':
      return [...resultParts(message), ...parts];
    default:
      return parts;
  }
}

/** Only the first call is made; the agent ignores the rest of the text, too. */
function saidParts(text: string): Part[] {
  const call = CALL.exec(text);
  const tool = call?.[1];
  const begin = (call?.index ?? 0) + (call?.[0].length ?? 0);
  const end = tool === undefined ? -1 : text.indexOf(`</${tool}>`, begin);
  if (tool === undefined || end === -1) return [{ kind: 'says', text }];
  const before = text.slice(0, call!.index);
  const thought = THOUGHT.exec(before)?.[1]?.trim() ?? '';
  const said = before.replace(THOUGHT, '').trim();
  return [
    ...(thought === '' ? [] : [{ kind: 'thinks' as const, text: thought }]),
    ...(said === '' ? [] : [{ kind: 'says' as const, text: said }]),
    { kind: 'calls', tool, args: argumentsIn(text.slice(begin, end)) },
  ];
}

const argumentsIn = (body: string): JsonObject =>
  Object.fromEntries(
    [...body.matchAll(ARGUMENT)].map(([, name, value]) => [name!, value!.replace(/^\n|\n$/g, '')]),
  );

function resultParts({ content }: JsonObject): Part[] {
  const brought = textResult(contentBlocks(content).map((block) => messageText(block)));
  return brought && TOOLS.includes(brought.tool)
    ? [{ kind: 'returns', returned: outcomeOf(brought.result) }]
    : [];
}

function outcomeOf(result: string): Returned {
  const code = EXIT.exec(result)?.[1];
  return returnedWith({
    result,
    exitCode: code && Number(code),
    error: result.startsWith('The tool execution failed') ? true : undefined,
    refusedBy: result.startsWith('The user denied this operation') ? 'user' : undefined,
  });
}
