import { isObject, type JsonObject, objectOf, parsed, textOf } from '@unrut/engine/json';
import { personText } from '@unrut/reading/chat/person-text';
import type { ImportedRun, ImportMoment, Returned, Source } from '@unrut/reading/importer';
import { messageText, resultContent } from '@unrut/reading/message-content';
import { returnedWith } from '@unrut/reading/returned-with';

/** Events of the SDK that are no step. */
const NO_STEPS = new Set(
  (
    'SystemPromptEvent ConversationStateUpdateEvent ConversationErrorEvent ConversationIterationLimitEvent PauseEvent InterruptEvent ' +
    'TokenEvent StreamingDeltaEvent LLMCompletionLogEvent HookExecutionEvent CondensationRequest CondensationSummaryEvent ServerErrorEvent'
  ).split(' '),
);

/** Whether this is an OpenHands SDK event, judging by its class. */
export const isSdkEvent = (value: unknown): value is JsonObject =>
  isObject(value) &&
  /^[A-Z]\w*(?:Event|Observation)$|^Condensation(?:Request)?$/.test(textOf(value.kind));

/** Reads the events of one conversation of the SDK. */
export function createSdkReader(run: ImportedRun, source: Source): (event: JsonObject) => void {
  const acpCalls = new Set<string>();

  function answers(event: JsonObject, returned: Returned): void {
    if (!run.returns(textOf(event.tool_call_id) || undefined, returned, { at: event.timestamp }))
      source.unknown('observation without its action');
  }

  /** Calls of an ACP agent are reported again while they run. */
  function readAcp(event: JsonObject, moment: ImportMoment): void {
    const id = textOf(event.tool_call_id);
    if (!acpCalls.has(id))
      run.calls(
        { id, tool: textOf(event.tool_kind) || textOf(event.title), args: event.raw_input ?? {} },
        moment,
      );
    acpCalls.add(id);
    if (event.status !== 'completed' && event.status !== 'failed') return;
    const isFailed = event.is_error === true || event.status === 'failed';
    run.returns(
      id,
      {
        result: resultContent(event.raw_output ?? event.content),
        ...(isFailed ? { error: true } : {}),
      },
      moment,
    );
    acpCalls.delete(id);
  }

  return (event) => {
    const kind = textOf(event.kind);
    const moment = { at: event.timestamp };
    if (kind === 'ActionEvent') readAction(run, event, moment);
    else if (kind === 'ObservationEvent') answers(event, observed(event));
    else if (kind === 'AgentErrorEvent') answers(event, failed(textOf(event.error)));
    else if (kind === 'UserRejectObservation')
      answers(event, {
        result: textOf(event.rejection_reason),
        refusedBy: event.rejection_source === 'hook' ? 'host' : 'user',
      });
    else if (kind === 'MessageEvent') readMessage(run, event, moment);
    else if (kind === 'Condensation') run.compacted(moment);
    else if (kind === 'ACPToolCallEvent') readAcp(event, moment);
    else if (!NO_STEPS.has(kind)) source.unknown(kind);
  };
}

function thinking({ reasoning_content: reasoning, thinking_blocks: blocks }: JsonObject): string {
  if (textOf(reasoning) !== '') return textOf(reasoning);
  return Array.isArray(blocks)
    ? blocks.map((block) => (isObject(block) ? textOf(block.thinking) : '')).join('\n')
    : '';
}

function readAction(run: ImportedRun, event: JsonObject, moment: ImportMoment): void {
  run.thinks(thinking(event), moment);
  run.thinks(messageText(event.thought), moment);
  const call = objectOf(event.tool_call);
  const asked = parsed(call.arguments);
  const { kind: _, ...action } = objectOf(event.action);
  // The model adds a risk estimate and a reason to the arguments.
  const { security_risk: _risk, summary: _summary, ...args } = isObject(asked) ? asked : action;
  run.calls(
    {
      id: textOf(event.tool_call_id) || textOf(event.id),
      tool: textOf(event.tool_name) || textOf(call.name),
      args: isObject(asked) || asked === undefined ? args : asked,
      ...(textOf(event.llm_response_id) === '' ? {} : { batch: textOf(event.llm_response_id) }),
    },
    moment,
  );
}

function observed({ observation, extended_content: extended }: JsonObject): Returned {
  if (!isObject(observation)) return { result: observation };
  const { kind: _, content, output, is_error: isError, ...rest } = observation;
  const metadata = objectOf(rest.metadata);
  const exit = rest.exit_code ?? metadata.exit_code;
  const shown = resultContent(content ?? output ?? rest);
  const added =
    Array.isArray(extended) && extended.length > 0 && Array.isArray(shown)
      ? [...shown, ...extended]
      : shown;
  return returnedWith({
    result: added,
    error: typeof isError === 'boolean' ? isError : undefined,
    exitCode: Number(exit) >= 0 ? exit : undefined,
  });
}

function failed(error: string): Returned {
  const isUnknown = /^Tool '[^']*' not found/.test(error);
  const refusedBy = error.startsWith('Error validating tool')
    ? 'schema'
    : isUnknown
      ? 'unknown-tool'
      : undefined;
  return returnedWith({ result: error, error: true, refusedBy });
}

function readMessage(run: ImportedRun, event: JsonObject, moment: ImportMoment): void {
  const message = objectOf(event.llm_message);
  const text = messageText(message.content);
  if (event.source === 'agent') {
    run.thinks(thinking(message), moment);
    run.says(text, moment);
  } else if (event.source === 'user' && textOf(event.sender) === '') {
    const typed = personText([text]);
    if (typed !== undefined) run.person(typed, moment);
  }
}
