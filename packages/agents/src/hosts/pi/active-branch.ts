import { type JsonObject, objectOf, textOf } from '@unrut/engine/json';
import { contentBlocks } from '@unrut/reading/message-content';

/** Max number of entries held until the file ends; longer sessions are read in order. */
const MAX_HELD = 50_000;

/**
 * A session file is a tree: each entry names its predecessor, and going back starts a new branch.
 * The agent knows only the branch of the last entry. Streams have no parents and are passed on
 * immediately.
 */
export function alongActiveBranch(tell: (entry: JsonObject) => void): {
  add(entry: JsonObject): void;
  /** The session is over. */
  end(): void;
} {
  let held: JsonObject[] = [];
  let isLong = false;
  function release(): void {
    const entries = held;
    held = [];
    for (const entry of isLong ? entries : activeBranch(entries)) tell(entry);
  }
  return {
    add(entry) {
      if (isLong || (held.length === 0 && !('parentId' in entry))) {
        tell(entry);
        return;
      }
      held.push(entry);
      if (held.length < MAX_HELD) return;
      isLong = true;
      release();
    },
    end() {
      release();
      isLong = false;
    },
  };
}

/**
 * The last entry and its ancestors, in order. All entries if they form no tree: ids repeat, a
 * parent is missing, or the branch has a result without its call.
 */
function activeBranch(entries: readonly JsonObject[]): readonly JsonObject[] {
  const linked = entries.filter((entry) => 'parentId' in entry);
  const byId = new Map(linked.map((entry) => [entry.id, entry]));
  if (byId.size < linked.length) return entries;
  const branch = new Set<JsonObject>();
  for (let entry = linked.at(-1); entry && !branch.has(entry); entry = byId.get(entry.parentId)) {
    if (entry.parentId !== null && !byId.has(entry.parentId)) return entries;
    branch.add(entry);
  }
  const isKept = (entry: JsonObject): boolean =>
    branch.has(entry) ||
    !('parentId' in entry) ||
    // The next entry may follow the one before the compaction.
    (entry.type === 'compaction' && branch.has(byId.get(entry.parentId)!));
  const chosen = entries.filter(isKept);
  return hasEveryCall(chosen) ? chosen : entries;
}

function hasEveryCall(entries: readonly JsonObject[]): boolean {
  const called = new Set<string>();
  for (const { message } of entries) {
    const { role, content, toolCallId } = objectOf(message);
    if (role === 'assistant')
      for (const { type, id } of contentBlocks(content))
        if (type === 'toolCall') called.add(textOf(id));
    if (role === 'toolResult' && !called.has(textOf(toolCallId))) return false;
  }
  return true;
}
