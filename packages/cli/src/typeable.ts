import { homedir } from 'node:os';
import { commandWord } from '@unrut/agents/install/hook-files';

/** Our commands in a text, unless they are typed through npx already. */
const COMMANDS =
  /(?<![\w/.-]|npx )unrut (?=(?:scan|show|explain|install|uninstall|doctor|off|on|false-alarm|run|mcp|gateway|serve|config|stats|watch|ledger)\b)/g;

/** A text with our commands as they can be typed on this machine. */
export const typeable = (text: string): string =>
  commandWord({ home: homedir(), variables: process.env, platform: process.platform }) === 'unrut'
    ? text
    : text.replace(COMMANDS, 'npx unrut ');
