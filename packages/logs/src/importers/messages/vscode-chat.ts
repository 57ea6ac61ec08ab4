import { isObject, type JsonObject, objectsOf, textOf, valueIn } from '@unrut/engine/json';
import {
  called,
  messageImporter,
  type Part,
  returned,
  strange,
  told,
} from '@unrut/reading/message-format';

/** Parts of a response that only show something. */
const SHOWN =
  /^(?:inlineReference|codeblockUri|textEditGroup|notebookEditGroup|undoStop|progress\w*|prepareToolInvocation|mcpServersStarting|confirmation|elicitation\w*|command|markdownVuln|warning|multiDiffData|pullRequest|extensions|references|treeData|clearToPreviousToolInvocation|externalEdits|workspaceEdit|questionCarousel|disabledClaudeHooks|hook|info|references)$/;

/** Chats of Copilot in VS Code: `Chat: Export Chat…`, and the files in `chatSessions`. */
export const vscodeChat = messageImporter({
  name: 'vscode-chat',
  reads:
    'chats of GitHub Copilot in VS Code: `Chat: Export Chat…`, and `workspaceStorage/*/chatSessions/*.json`',
  sample:
    'after an export of 0.31, dealenx/copilot-chat-analyzer e933edb; rounds with results unchecked against a recording',
  isMessage: ({ message, response }) =>
    isObject(message) && typeof message.text === 'string' && Array.isArray(response),
  lists: ['requests'],
  isManyResponses: true,
  ids: ['sessionId'],
  parts: (request) => {
    const rounds = objectsOf(valueIn(request.result, 'metadata.toolCallRounds'));
    const results = valueIn(request.result, 'metadata.toolCallResults');
    const answers =
      rounds.length > 0
        ? rounds.flatMap((round) => roundParts(round, results))
        : objectsOf(request.response).flatMap(shownParts);
    return [...told('person', valueIn(request.message, 'text')), ...answers];
  },
  moment: ({ timestamp: at }) => ({ at }),
});

/** The model's input and output, if stored. */
function roundParts({ response, thinking, toolCalls }: JsonObject, results: unknown): Part[] {
  const calls = objectsOf(toolCalls);
  return [
    ...told('thinks', valueIn(thinking, 'text')),
    ...told('says', response),
    ...calls.map(({ id, name, arguments: args }) => called(id, name, args)),
    ...calls.flatMap(({ id }): Part[] => {
      const result = isObject(results) ? results[textOf(id)] : undefined;
      if (!isObject(result)) return [];
      const texts = objectsOf(result.content).flatMap(({ value }) =>
        typeof value === 'string' ? [value] : [],
      );
      return [returned(id, texts.length > 0 ? texts : result.content, { error: result.isError })];
    }),
  ];
}

/** Otherwise, the displayed texts. */
function shownParts(part: JsonObject): Part[] {
  const {
    kind,
    value,
    toolId,
    toolCallId: id,
    invocationMessage,
    resultDetails,
    isConfirmed,
    confirmed,
  } = part;
  if (kind === undefined || kind === 'markdownContent')
    return told('says', typeof value === 'string' ? value : valueIn(part.content, 'value'));
  if (kind === 'thinking') return told('thinks', value);
  if (kind !== 'toolInvocationSerialized') return SHOWN.test(textOf(kind)) ? [] : [strange(kind)];
  const message =
    typeof invocationMessage === 'string' ? invocationMessage : valueIn(invocationMessage, 'value');
  const call = called(
    id,
    toolId,
    valueIn(resultDetails, 'input') ?? valueIn(part.toolSpecificData, 'commandLine') ?? { message },
  );
  const isRefused = isConfirmed === false || valueIn(confirmed ?? isConfirmed, 'type') === 0;
  if (isRefused) return [call, returned(id, undefined, { refusedBy: 'user' })];
  const exitCode = valueIn(part.toolSpecificData, 'terminalCommandState.exitCode');
  const output = objectsOf(valueIn(resultDetails, 'output')).map((each) => ({
    text: textOf(each.value),
  }));
  return [
    call,
    returned(id, output.length > 0 ? output : undefined, {
      error: valueIn(resultDetails, 'isError'),
      exitCode,
    }),
  ];
}
