import type { Machine } from '@unrut/engine/machine';
import { commandWord } from './hook-files.ts';

const IN_PROMPT = ['on', 'off', 'false-alarm'];
const IN_TERMINAL =
  'scan show explain install uninstall doctor run mcp gateway serve config stats watch ledger'.split(
    ' ',
  );

/** Matches our commands in a text, unless they have npx already. */
const commands = (names: readonly string[]): RegExp =>
  new RegExp(`(?<![\\w/.-]|npx )unrut (?=(?:${names.join('|')})\\b)`, 'g');

const replaced = (text: string, names: readonly string[], at: Machine): string =>
  commandWord(at) === 'unrut' ? text : text.replace(commands(names), 'npx unrut ');

/** Adapts our commands in a text to this machine's terminal. */
export const typeable = (text: string, at: Machine): string =>
  replaced(text, [...IN_TERMINAL, ...IN_PROMPT], at);

/** The same for texts in an agent's prompt, which answers some commands itself. */
export const typeableInPrompt = (text: string, at: Machine): string =>
  replaced(text, IN_TERMINAL, at);
