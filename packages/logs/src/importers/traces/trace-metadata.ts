import { isObject, parsed, present, textOf } from '@unrut/engine/json';

/** What applications name a conversation in metadata. */
export const THREAD = [
  'session_id',
  'sessionId',
  'thread_id',
  'threadId',
  'conversation_id',
  'conversationId',
];

/** LangGraph's path to a node, with a bar between a graph and one that runs in it. */
export const GRAPH_PATH = 'langgraph_checkpoint_ns';

/** The graph within a graph that a path of LangGraph's leads to: a nested agent. */
export function subgraph(path: unknown): string | undefined {
  const bar = textOf(path).lastIndexOf('|');
  return bar === -1 ? undefined : textOf(path).slice(0, bar);
}

/** The session and the nested agent that metadata, as value or as JSON text, name. */
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
