import { posix, win32 } from 'node:path';
import type { Surroundings } from '../agent.ts';

/** The way to a folder below another, as the platform writes it. */
export const joinOn = ({ platform }: Pick<Surroundings, 'platform'>): ((...parts: string[]) => string) =>
  platform === 'win32' ? win32.join : posix.join;

/** Where each agent keeps a person's settings, by its own variables and by convention. */
export function agentFolders(at: Surroundings) {
  const join = joinOn(at);
  const named = (variable: string): string | undefined => at.variables[variable]?.trim() || undefined;
  const config = named('XDG_CONFIG_HOME') ?? join(at.home, '.config');
  return {
    claude: named('CLAUDE_CONFIG_DIR') ?? join(at.home, '.claude'),
    cline: named('CLINE_DIR') ?? join(at.home, '.cline'),
    codex: named('CODEX_HOME') ?? join(at.home, '.codex'),
    copilot: named('COPILOT_HOME') ?? join(at.home, '.copilot'),
    crush: named('CRUSH_GLOBAL_CONFIG') ?? join(config, 'crush'),
    cursor: join(at.home, '.cursor'),
    gemini: join(named('GEMINI_CLI_HOME') ?? at.home, '.gemini'),
    /** Kimi Code came after Kimi CLI, and keeps its settings elsewhere. */
    kimi: [named('KIMI_CODE_HOME') ?? join(at.home, '.kimi-code'), named('KIMI_SHARE_DIR') ?? join(at.home, '.kimi')],
    opencode: named('OPENCODE_CONFIG_DIR') ?? join(config, 'opencode'),
    qwen: named('QWEN_HOME') ?? join(at.home, '.qwen'),
  } as const;
}
