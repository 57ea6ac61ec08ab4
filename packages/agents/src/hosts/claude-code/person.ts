import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { objectOf, parsed } from '@unrut/engine/json';
import { settingsFolder } from '../../settings-files/places.ts';
import type { HostHooks } from '../define-host.ts';
import { claudeLikePerson } from './answer.ts';

// Separate from answer.ts, which the adapter of the Claude Agent SDK also uses without Node.

/** Whether the user's status line contains Unrut. Never throws. */
function hasStatusLine(): boolean {
  try {
    const at = { home: homedir(), variables: process.env, platform: process.platform };
    const file = join(settingsFolder(at, 'CLAUDE_CONFIG_DIR', '.claude'), 'settings.json');
    return /statusline/i.test(
      JSON.stringify(objectOf(parsed(readFileSync(file, 'utf8'))).statusLine) ?? '',
    );
  } catch {
    return false;
  }
}

/**
 * Asks Claude Code not to repeat the typed text below the answer. Others may reject answers with
 * unknown fields.
 */
export const claudeCodePerson: NonNullable<HostHooks['person']> = {
  ...claudeLikePerson,
  more: () =>
    hasStatusLine()
      ? undefined
      : 'To see this at the bottom of the screen, type in a terminal: unrut install claude-code --statusline',
  say(payload, text) {
    const answer = claudeLikePerson.say(payload, text);
    if (answer.decision === undefined) return answer;
    return {
      ...answer,
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit', suppressOriginalPrompt: true },
    };
  },
};
