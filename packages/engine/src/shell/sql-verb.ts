const READS = new Set([
  'select',
  'show',
  'explain',
  'describe',
  'desc',
  'with',
  'pragma',
  'values',
  'use',
]);
const WRITES = new Set(
  'insert update delete create drop alter replace truncate merge upsert grant revoke begin commit rollback vacuum reindex copy set call'.split(
    ' ',
  ),
);

/** What a database statement does; null if the text is not one. */
export function sqlVerb(statement: string): 'read' | 'write' | null {
  const head = statement.slice(0, 400).trimStart();
  // Meta commands of sqlite3 and psql: .schema, \d
  if (/^(?:\.(?:schema|tables|databases|indexes|dump|mode|headers)|\\[dlz])/.test(head))
    return 'read';
  const word = /^[(\s]*([A-Za-z]+)\b/.exec(head)?.[1]?.toLowerCase();
  if (word === undefined) return null;
  if (WRITES.has(word)) return 'write';
  if (!READS.has(word)) return null;
  return /\b(?:insert\s+into|update\s+\w+\s+set|delete\s+from)\b/i.test(statement.slice(0, 4096))
    ? 'write'
    : 'read';
}
