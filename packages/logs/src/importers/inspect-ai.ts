import { isObject, type JsonObject, listOf, objectOf, objectsOf, textOf } from '@unrut/engine/json';
import type {
  ImportedRun,
  Importer,
  ImportMoment,
  Returned,
  Source,
} from '@unrut/reading/importer';
import { readTime } from '@unrut/reading/moment';
import { amount, costOnFirst, spent } from '@unrut/reading/response-cost';
import { returnedWith } from '@unrut/reading/returned-with';
import { fieldsIn } from '@unrut/reading/run-documents';
import { readMessage, type TraceMessage } from './traces/trace-message.ts';

/** Logs of Inspect evaluations. Each sample is a run. */
export const inspectAi: Importer = {
  name: 'inspect-ai',
  reads: 'evaluation logs of Inspect (inspect_ai), as JSON or `.eval`, or samples of one',
  sample: 'written after public logs and its source',
  recognises: (first) => first.some((record) => isLog(record) || isSample(record)),
  open(source) {
    return {
      read(record) {
        if (isSample(record)) readSample(source, record);
        else if (!isLog(record)) source.unknown(fieldsIn(record));
        else {
          for (const sample of listOf(record.samples)) {
            if (isSample(sample)) readSample(source, sample);
            else source.unknown('sample');
          }
        }
      },
    };
  },
};

const isLog = (record: unknown): record is JsonObject =>
  isObject(record) && isObject(record.eval) && typeof record.status === 'string';
const isSample = (record: unknown): record is JsonObject =>
  isObject(record) &&
  typeof record.epoch === 'number' &&
  record.id !== undefined &&
  Array.isArray(record.messages);

function readSample(source: Source, sample: JsonObject): void {
  const run = source.run(`${source.name} ${String(sample.id)} epoch ${sample.epoch}`);
  const moments = momentsIn(sample.events);
  const attachments = objectOf(sample.attachments);
  let hasAnswered = false;
  for (const given of listOf(sample.messages)) {
    const fields = attached(given, attachments);
    if (!isObject(fields)) {
      source.unknown(`message ${typeof given}`);
      continue;
    }
    const message = readMessage(fields);
    if (message.role === 'assistant') {
      hasAnswered = true;
      tellAnswer(run, message, textOf(fields.id), moments);
    } else if (message.role === 'tool')
      tellResult(run, fields, message.results[0]!.result, moments);
    else if (message.role === 'user') {
      // Solvers add user messages to urge the model; those from the dataset are marked, in logs
      // with marks.
      const isInput = fields.source === 'input' || (!hasAnswered && !fields.source);
      if (isInput && message.text.trim() !== '' && !Array.isArray(fields.tool_call_id))
        run.person(message.text);
    } else if (message.role !== 'system') source.unknown(`message ${textOf(fields.role)}`);
  }
}

function tellAnswer(
  run: ImportedRun,
  { text, thought, calls, results }: TraceMessage,
  id: string,
  moments: Moments,
): void {
  const { at, cost } = moments.get(id) ?? {};
  const moment = costOnFirst({ at, cost });
  if (thought.trim() !== '') run.thinks(thought, moment());
  if (text.trim() !== '') run.says(text, moment());
  const batch = id === '' ? (calls[0]?.id ?? '') : id;
  for (const call of calls) run.calls({ ...call, batch }, moment());
  // Results of tools that the provider runs are part of the answer.
  for (const { id: called, ...returned } of results) run.returns(called, returned, moment());
}

function tellResult(
  run: ImportedRun,
  fields: JsonObject,
  content: unknown,
  moments: Moments,
): void {
  const id = textOf(fields.tool_call_id);
  const moment = { at: moments.get(`call ${id}`)?.end };
  const returned = returnedOf(fields.error, content, moments.get(`call ${id}`));
  if (run.returns(id, returned, moment)) return;
  // The history was cut before the call, so only its tool is known.
  run.calls({ id, tool: textOf(fields.function), args: undefined }, moment);
  run.returns(id, returned, moment);
}

function returnedOf(error: unknown, content: unknown, moment: Told | undefined): Returned {
  const durationMs =
    moment?.at !== undefined && moment.end !== undefined
      ? Math.max(0, moment.end - moment.at)
      : undefined;
  if (!isObject(error)) return returnedWith({ result: content, durationMs });
  const message = textOf(error.message);
  const wrong = /^Tool .*\bnot found/.test(message) ? 'unknown-tool' : 'schema';
  const refusedBy =
    error.type === 'approval' ? 'host' : error.type === 'parsing' ? wrong : undefined;
  return returnedWith({
    result: content === undefined || content === '' ? message : content,
    error: true,
    durationMs,
    refusedBy,
  });
}

/** The time of a message or call, the end of the call, and the cost of the message. */
interface Told {
  at?: number | undefined;
  end?: number | undefined;
  cost?: ImportMoment['cost'];
}
type Moments = Map<string, Told>;

/** Messages have no times, but the events that created them do. */
function momentsIn(events: unknown): Moments {
  const moments: Moments = new Map();
  for (const event of objectsOf(events)) {
    const at = readTime(event.timestamp);
    const end = readTime(event.completed);
    if (event.event === 'tool') moments.set(`call ${textOf(event.id)}`, { at, end });
    if (event.event !== 'model' || !isObject(event.output)) continue;
    const [choice] = listOf(event.output.choices);
    const message = isObject(choice) && isObject(choice.message) ? textOf(choice.message.id) : '';
    if (message !== '') moments.set(message, { at: end ?? at, cost: costOf(event.output.usage) });
  }
  return moments;
}

/** Tokens read from or written to a cache are not part of the input here. */
function costOf(usage: unknown): ImportMoment['cost'] {
  if (!isObject(usage)) return undefined;
  const written = amount(usage.input_tokens_cache_write) ?? 0;
  return spent({
    input: (amount(usage.input_tokens) ?? 0) + written,
    output: usage.output_tokens,
    usd: usage.total_cost,
  });
}

/** Long texts may be stored separately. */
function attached(value: unknown, attachments: JsonObject): unknown {
  if (typeof value === 'string')
    return value.startsWith('attachment://')
      ? (attachments[value.slice('attachment://'.length)] ?? value)
      : value;
  if (Array.isArray(value)) return value.map((item) => attached(item, attachments));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, attached(item, attachments)]),
  );
}
