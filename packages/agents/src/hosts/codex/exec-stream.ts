import { isObject, type JsonObject, objectOf, textOf } from '@unrut/engine/json';
import type {
  ImportedRun,
  Importer,
  ImportMoment,
  Returned,
  Source,
} from '@unrut/reading/importer';
import { resultContent } from '@unrut/reading/message-content';
import { returnedWith } from '@unrut/reading/returned-with';
import { codexCost } from './result.ts';

const LINES = new Set([
  'thread.started',
  'turn.started',
  'turn.completed',
  'turn.failed',
  'item.started',
  'item.updated',
  'item.completed',
  'error',
]);
/** Items that hold no step: program notices. */
const NO_STEPS = new Set(['error']);

/** The stream of `codex exec --json`. It contains neither times nor the user's prompt. */
export const codexExec: Importer = {
  name: 'codex-exec',
  reads: 'the stream of `codex exec --json`',
  sample: 'recorded, 0.166',
  recognises: (first) =>
    first.some((record) => isObject(record) && LINES.has(textOf(record.type)) && isOwn(record)),
  open(source) {
    let run: ImportedRun | undefined;
    let said = '';
    const open = new Set<string | undefined>();

    /** The last message is delayed until its turn's cost is known. */
    function say(to: ImportedRun, cost: ImportMoment = {}): void {
      if (said.trim() !== '') to.says(said, cost);
      said = '';
    }

    function item(to: ImportedRun, isDone: boolean, { id, type, ...rest }: JsonObject): void {
      say(to);
      if (type === 'agent_message') said = isDone ? textOf(rest.text) : '';
      else if (type === 'reasoning') to.thinks(isDone ? textOf(rest.text) : '');
      else if (type === 'todo_list') {
        // The list is written after each change; the last one at the end of a turn is a repetition.
        if (!isDone) whole(to, 'update_plan', { plan: rest.items });
      } else if (type === 'web_search') {
        // The query is only known at the end.
        if (isDone) whole(to, 'web_search', { query: rest.query });
      } else call(to, isDone, textOf(id) || undefined, textOf(type), rest);
    }

    function whole(to: ImportedRun, tool: string, args: unknown): void {
      to.calls({ id: tool, tool, args });
      to.returns(tool, {});
    }

    function call(
      to: ImportedRun,
      isDone: boolean,
      id: string | undefined,
      type: string,
      rest: JsonObject,
    ): void {
      const made = callOf(type, rest);
      if (!made) {
        if (!NO_STEPS.has(type)) source.unknown(`item: ${type.slice(0, 40)}`);
        return;
      }
      if (!open.has(id)) to.calls({ id, ...made });
      open.add(id);
      if (isDone && open.delete(id)) to.returns(id, returnedBy(rest));
    }

    return {
      read(record) {
        const type = isObject(record) ? textOf(record.type) : '';
        if (!isObject(record) || !LINES.has(type)) return unknown(source, record);
        if (type === 'thread.started') run = source.run(textOf(record.thread_id) || undefined);
        run ??= source.run();
        if (isObject(record.item)) item(run, type === 'item.completed', record.item);
        if (type === 'turn.completed') say(run, { cost: codexCost(record.usage) });
      },
      end() {
        if (run) say(run);
      },
    };
  },
};

const isOwn = ({ item, usage, thread_id: thread, type, error }: JsonObject): boolean =>
  type === 'turn.started' ||
  typeof thread === 'string' ||
  isObject(item) ||
  isObject(usage) ||
  isObject(error);

function unknown(source: Source, record: unknown): void {
  source.unknown(
    isObject(record) ? textOf(record.type).slice(0, 40) || 'line without a type' : typeof record,
  );
}

function callOf(type: string, item: JsonObject): { tool: string; args: unknown } | undefined {
  switch (type) {
    case 'command_execution':
      return { tool: 'shell', args: { command: item.command } };
    case 'file_change':
      return { tool: 'apply_patch', args: { changes: item.changes } };
    case 'mcp_tool_call':
      return {
        tool: `mcp__${textOf(item.server)}__${textOf(item.tool)}`,
        args: item.arguments ?? {},
      };
    case 'collab_tool_call':
      return {
        tool: textOf(item.tool),
        args: { prompt: item.prompt, receiver: item.receiver_thread_ids },
      };
    default:
      return undefined;
  }
}

function returnedBy({
  status,
  aggregated_output: output,
  exit_code: exitCode,
  result,
  error,
}: JsonObject): Returned {
  const isFailed =
    (status === 'failed' && typeof exitCode !== 'number') || objectOf(result).isError === true;
  return returnedWith({
    result: output ?? (isObject(result) ? resultContent(result.content ?? result) : undefined),
    exitCode,
    error: isObject(error) ? error.message : isFailed ? true : undefined,
    refusedBy: status === 'declined' ? 'host' : undefined,
  });
}
