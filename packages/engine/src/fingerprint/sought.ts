import { parseShell } from '../shell/parse.ts';
import { wordHashes } from './words.ts';

/** Tools and programs that search through files for a pattern. */
const SEARCHES =
  /grep|^(?:rg|ag|ack|find|fd)$|glob|search_?(?:files?|code|dir|in)|find_?(?:files?|in)/i;
const PATTERNS = ['pattern', 'regex', 'query', 'search_term', 'name', 'search'];
/** Options of these programs that are followed by a value, which is not the pattern. */
const TAKES_VALUE =
  /^(?:-[ABCmdtgf]|--(?:include|exclude|exclude-dir|type|glob|max-count|context|max-depth))$/;
const NAMES = /^-i?(?:name|path|wholename|regex)$/;
const GREP = /^(?:[efpz]?grep|rg|ag|ack|fd)$/;
/** Words of programming languages. Half of all patterns contain one of them. */
const COMMON = new Set(
  'async class const default export extends func function import interface private protected public return self static string struct this type void'.split(
    ' ',
  ),
);
const SHORTEST = 3;
const MAX_WORDS = 8;

/**
 * Hashes of the words that a search through files looks for: `no_think` and `enableThinking` have
 * one in common. Undefined if the call is no such search; empty if the pattern has no telling word.
 */
export function soughtWords(
  tool: string,
  command: string | null,
  args: unknown,
  seed: number,
): number[] | undefined {
  if (!SEARCHES.test(tool)) return undefined;
  const pattern = command === null ? givenPattern(args) : commandPattern(command);
  return pattern === null
    ? undefined
    : wordHashes(tellingWords(pattern).join(' '), seed, MAX_WORDS);
}

function givenPattern(args: unknown): string | null {
  if (typeof args !== 'object' || args === null) return null;
  for (const name of PATTERNS) {
    const value = (args as Record<string, unknown>)[name];
    if (typeof value === 'string') return value;
  }
  return null;
}

/** The pattern of the first search in a command line. */
function commandPattern(line: string): string | null {
  for (const { words } of parseShell(line).commands) {
    if (words[0] === 'find') {
      const at = words.findIndex((word) => NAMES.test(word));
      if (at > 0 && words[at + 1] !== undefined && !/^\*\.\w+$/.test(words[at + 1]!))
        return words[at + 1]!;
    }
    const start = words.findIndex((word) => GREP.test(word));
    if (start >= 0) return grepPattern(words.slice(start + 1));
  }
  return null;
}

function grepPattern(words: readonly string[]): string | null {
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === '-e' || word === '--regexp') return words[i + 1] ?? null;
    if (TAKES_VALUE.test(word)) i++;
    else if (!word.startsWith('-')) return word;
  }
  return null;
}

/** Names in a pattern, split at `_`, `-` and capital letters. `[Tt]` is a letter. */
function tellingWords(pattern: string): string[] {
  return pattern
    .slice(0, 500)
    .replace(/\[([a-z])\1\]/gi, '$1')
    .replace(/\\[a-zA-Z]|\[[^\]]*\]/g, ' ')
    .replace(/([a-z])(?=[A-Z])/g, '$1 ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= SHORTEST && !COMMON.has(word));
}
