import { isObject, type JsonObject, objectsOf, valueIn } from '@unrut/engine/json';
import { called, messageImporter, type Part, returned, told } from '@unrut/reading/message-format';
import { responseCost } from '@unrut/reading/response-cost';

/** Sessions of Continue's editor extension and of `cn`. */
export const continueTranscript = messageImporter({
  name: 'continue',
  reads: "Continue's sessions in `~/.continue/sessions`, of the editors and of `cn`",
  sample: 'recorded, cn 1.5',
  isMessage: ({ message, contextItems }) =>
    isObject(message) && typeof message.role === 'string' && Array.isArray(contextItems),
  lists: ['history'],
  ids: ['sessionId'],
  parts: itemParts,
  moment: ({ message }) => ({ cost: responseCost(valueIn(message, 'usage')) }),
});

function itemParts(item: JsonObject): Part[] {
  const message = item.message as JsonObject;
  if (message.role === 'user') return told('person', message.content);
  if (message.role === 'thinking') return told('thinks', message.content);
  // Results are in the calls' states; tool messages repeat them.
  if (message.role !== 'assistant') return [];
  const states = objectsOf(
    item.toolCallStates ?? (isObject(item.toolCallState) ? [item.toolCallState] : []),
  );
  return [
    ...told('thinks', valueIn(item.reasoning, 'text')),
    ...told('says', message.content),
    ...objectsOf(message.toolCalls).map(({ id, function: inner }) =>
      called(id, valueIn(inner, 'name'), valueIn(inner, 'arguments')),
    ),
    ...states.flatMap((state) => stateParts(state)),
  ];
}

function stateParts({ toolCallId: id, status, output }: JsonObject): Part[] {
  const text = objectsOf(output).map(({ content }) => ({ text: content }));
  if (status === 'canceled') return [returned(id, text, { refusedBy: 'user' })];
  return status === 'done' || status === 'errored'
    ? [returned(id, text, { error: status === 'errored' })]
    : [];
}
