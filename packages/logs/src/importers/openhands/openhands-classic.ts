import { isObject, type JsonObject, objectOf, objectsOf, parsed, textOf } from '@unrut/engine/json';
import { keepIn } from '@unrut/engine/recent';
import { withId } from '@unrut/reading/chat/part';
import { personText } from '@unrut/reading/chat/person-text';
import type { ImportedRun, Returned, Source } from '@unrut/reading/importer';
import { costOnFirst } from '@unrut/reading/response-cost';
import { returnedWith } from '@unrut/reading/returned-with';
import type { Meter } from './openhands-meter.ts';

/** Actions and observations that are no steps: settings, states, and prompt lookups. */
const NO_STEPS = new Set(
  (
    'system null initialize pause resume stop change_agent_state agent_state_changed recall microagent workspace_context ' +
    'condensation_request loop_recovery chat'
  ).split(' '),
);
/** Arguments that the harness adds to an action. */
const NOT_ARGUMENTS = new Set(
  (
    'thought action confirmation_state is_confirmed security_risk blocking hidden is_static keep_prompt include_extra ' +
    'kernel_init_code impl_source cache_prompt llm_metrics timeout'
  ).split(' '),
);
/** Max number of calls whose observations may refer to them only by cause. */
const MAX_CAUSES = 256;

/** Whether this is an OpenHands event from before its SDK: an action or an observation. */
export function isClassicEvent(value: unknown): value is JsonObject {
  if (!isObject(value)) return false;
  const { action, observation } = value;
  if (typeof action === 'string')
    return isObject(value.args) && ('source' in value || 'id' in value || 'message' in value);
  return typeof observation === 'string' && (isObject(value.extras) || 'cause' in value);
}

/**
 * Reads the classic events of a session. Another agent's events between a `delegate` and its result
 * form a nested run.
 */
export function createClassicReader(
  source: Source,
  session: string | undefined,
  meter: Meter,
): (event: JsonObject) => void {
  const delegates: { run: ImportedRun; id: string | undefined }[] = [];
  const causes = new Map<string, string>();
  const main = source.run(session);
  const runOf = (): ImportedRun => delegates.at(-1)?.run ?? main;
  let typed: unknown;

  function act(event: JsonObject, action: string): void {
    const args = objectOf(event.args);
    if (NO_STEPS.has(action)) return;
    const next = costOnFirst({ at: event.timestamp, cost: meter(event.llm_metrics) });
    const run = runOf();
    if (action === 'condensation' || action === 'summarize') run.compacted(next());
    else if (event.source === 'user') {
      typed = event.id;
      const said = textOf(args.content) || textOf(args.task) || textOf(event.message);
      const text = action === 'message' || action === 'start' ? personText([said]) : undefined;
      if (text !== undefined) run.person(text, next());
    } else if (action === 'message')
      run.says(textOf(args.content) || textOf(event.message), next());
    else {
      if (action !== 'think' && textOf(args.thought).trim() !== '')
        run.thinks(textOf(args.thought), next());
      const call = callOf(event, action, args);
      if (call.id !== undefined) keepIn(causes, String(event.id), call.id, MAX_CAUSES);
      run.calls(call, next());
      if (action === 'delegate')
        delegates.push({
          run: source.run(session, `${textOf(args.agent) || 'delegate'} ${call.id ?? ''}`.trim()),
          id: call.id,
        });
    }
  }

  function observe(event: JsonObject, observation: string): void {
    const metadata = objectOf(event.tool_call_metadata);
    if (NO_STEPS.has(observation) && event.cause === undefined) return;
    if (event.cause !== undefined && event.cause === typed) return;
    const delegate = observation === 'delegate' ? delegates.pop() : undefined;
    const id = textOf(metadata.tool_call_id) || causes.get(String(event.cause)) || delegate?.id;
    // Errors of the agent itself answer no call. Other observations without a cause answer the
    // oldest action.
    if (id === undefined && (observation === 'error' || NO_STEPS.has(observation))) return;
    const isAnswer = runOf().returns(id, returnedBy(event, observation), { at: event.timestamp });
    if (!isAnswer && observation !== 'error' && !NO_STEPS.has(observation))
      source.unknown('observation without its action');
  }

  return (event) => {
    if (typeof event.action === 'string') act(event, event.action);
    else observe(event, textOf(event.observation));
  };
}

/** The model's call, if the response is stored; otherwise the action and its arguments. */
function callOf(
  event: JsonObject,
  action: string,
  args: JsonObject,
): { id?: string; tool: string; args: unknown; batch?: string } {
  const metadata = objectOf(event.tool_call_metadata);
  const id =
    textOf(metadata.tool_call_id) ||
    (typeof event.id === 'number' ? String(event.id) : textOf(event.id));
  const response = objectOf(metadata.model_response);
  const batch = textOf(response.id) === '' ? {} : { batch: textOf(response.id) };
  const choices = objectsOf(response.choices);
  const calls = choices.flatMap(({ message }) =>
    isObject(message) && Array.isArray(message.tool_calls) ? message.tool_calls : [],
  );
  const made: unknown = calls.find((call) => isObject(call) && call.id === id);
  const called = objectOf(objectOf(made).function);
  const own = Object.fromEntries(
    Object.entries(args).filter(([name, value]) => !NOT_ARGUMENTS.has(name) && value !== null),
  );
  const given = parsed(called.arguments);
  const tool = textOf(called.name) || textOf(metadata.function_name) || action;
  return withId(
    {
      tool,
      args: withoutRisk(given) ?? (action === 'think' ? { thought: args.thought } : own),
      ...batch,
    },
    id,
  );
}

/** Removes the model's risk estimate, which is not part of the call. */
function withoutRisk(args: unknown): unknown {
  if (!isObject(args)) return args;
  const { security_risk: _, ...rest } = args;
  return rest;
}

function returnedBy(event: JsonObject, observation: string): Returned {
  const extras = objectOf(event.extras);
  const metadata = objectOf(extras.metadata);
  const outputs =
    observation === 'delegate' && textOf(event.content) === '' ? extras.outputs : undefined;
  const exit = extras.exit_code ?? metadata.exit_code;
  return returnedWith({
    result: outputs ?? event.content ?? '',
    // -1: the command is still running.
    exitCode: Number(exit) >= 0 ? exit : undefined,
    error: observation === 'error' || extras.error === true ? true : undefined,
    refusedBy: observation === 'user_rejected' ? 'user' : undefined,
  });
}
