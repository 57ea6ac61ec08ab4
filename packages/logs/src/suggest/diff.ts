import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { insertInto, readJson } from '@unrut/agents/settings-files/edit-json';
import { isObject } from '@unrut/engine/json';
import { redact } from '@unrut/engine/redact/redact';
import type { Suggestion } from '@unrut/ledger/report/scan-report';

/**
 * Adds a unified diff to the suggestion, if `folder` has the name of the agent's folder and the
 * change is possible there. Writes nothing.
 */
export function withPatch(suggestion: Suggestion, folder: string): Suggestion {
  const { repository, file } = suggestion;
  if (repository !== basename(folder) || file === '' || file.startsWith('~')) return suggestion;
  try {
    const before = contentOf(join(folder, file));
    const after = changed(before ?? '', suggestion);
    const patch = diff(file, before, after);
    // The lines around the change may hold anything.
    return redact(patch) === patch ? { ...suggestion, patch } : suggestion;
  } catch {
    return suggestion;
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isObject(error) && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function changed(text: string, { under, add, kind }: Suggestion): string {
  if (kind === 'instruction')
    return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${add}\n`;
  const holder = under ?? [];
  const [name, value] = entryOf(add);
  let next = text.trim() === '' ? '{}\n' : text;
  for (let depth = 1; depth <= holder.length; depth++) {
    if (valueAt(readJson(next, ''), holder.slice(0, depth)) !== undefined) continue;
    const isList = depth === holder.length && name === undefined;
    next = insertInto(next, holder.slice(0, depth - 1), isList ? [] : {}, holder[depth - 1]);
  }
  return insertInto(next, holder, value, name);
}

/** `"name": value`, or a value alone. */
function entryOf(add: string): [name: string | undefined, value: unknown] {
  const [, name, value] = /^("(?:[^"\\]|\\.)*"): (.+)$/.exec(add) ?? [];
  return name === undefined
    ? [undefined, JSON.parse(add)]
    : [JSON.parse(name) as string, JSON.parse(value!)];
}

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), value);

const CONTEXT = 3;

/** A unified diff with one hunk, for `git apply` and `patch -p1`. */
function diff(file: string, before: string | undefined, after: string): string {
  const [old, now] = [linesOf(before ?? ''), linesOf(after)];
  let same = 0;
  while (same < old.length && same < now.length && old[same] === now[same]) same++;
  let end = 0;
  while (
    end < old.length - same &&
    end < now.length - same &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end++;
  const from = Math.max(0, same - CONTEXT);
  const oldEnd = Math.min(old.length, old.length - end + CONTEXT);
  const nowEnd = now.length - (old.length - oldEnd);
  const range = (start: number, count: number): string => `${count === 0 ? 0 : start + 1},${count}`;
  return [
    before === undefined ? '--- /dev/null' : `--- a/${file}`,
    `+++ b/${file}`,
    `@@ -${range(from, oldEnd - from)} +${range(from, nowEnd - from)} @@`,
    ...old.slice(from, same).map((line) => marked(' ', line)),
    ...old.slice(same, old.length - end).map((line) => marked('-', line)),
    ...now.slice(same, now.length - end).map((line) => marked('+', line)),
    ...old.slice(old.length - end, oldEnd).map((line) => marked(' ', line)),
    '',
  ].join('\n');
}

/** Lines with their line breaks, so that a missing last one is visible. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

const marked = (mark: string, line: string): string =>
  line.endsWith('\n')
    ? `${mark}${line.slice(0, -1)}`
    : `${mark}${line}\n\\ No newline at end of file`;
