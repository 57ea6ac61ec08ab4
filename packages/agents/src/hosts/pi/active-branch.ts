import { type JsonObject, objectOf, textOf } from '@unrut/engine/json';
import { contentBlocks } from '@unrut/reading/message-content';

/** Entries that are held back until the file ends; a longer session is read in order. */
const MAX_HELD = 50_000;

/**
 * A session file is a tree: each entry names the one that it follows, and a person who goes back
 * begins a new branch. The agent knows only the branch of the last entry. A stream names no parents
 * and is passed on at once.
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
 * The last entry and all that it follows from, in their order. All entries if they are no tree: ids
 * repeat, a parent is missing, or the branch has a result without its call.
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
    // What follows may continue from the entry before the compaction.
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
