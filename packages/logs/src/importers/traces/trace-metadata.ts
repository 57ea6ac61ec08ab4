import { isObject, parsed, present, textOf } from '@unrut/engine/json';

/** Metadata keys that applications use for a conversation's id. */
export const THREAD = [
  'session_id',
  'sessionId',
  'thread_id',
  'threadId',
  'conversation_id',
  'conversationId',
];

/** LangGraph's path to a node; a bar separates a graph from its subgraph. */
export const GRAPH_PATH = 'langgraph_checkpoint_ns';

/** The subgraph in a LangGraph path, which counts as a nested agent. */
export function subgraph(path: unknown): string | undefined {
  const bar = textOf(path).lastIndexOf('|');
  return bar === -1 ? undefined : textOf(path).slice(0, bar);
}

/** The session and nested agent in metadata, as value or JSON text. */
export function metadataPlace(metadata: unknown): { session?: string; agent?: string } {
  const given = parsed(metadata);
  if (!isObject(given)) return {};
  const name = THREAD.find((each) => textOf(given[each]) !== '');
  const agent = subgraph(given[GRAPH_PATH]);
  return {
    ...(name === undefined ? {} : { session: given[name] as string }),
    ...present({ agent }),
  };
}
