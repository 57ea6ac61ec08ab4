/**
 * Variables of hosts that the answer to a hook may depend on. Written by scripts/generate-hosts.ts:
 * the hook that starts fast loads no host.
 */
export const HOOK_VARIABLES: readonly string[] = [
  'CLAUDE_CODE_ENTRYPOINT',
  'GEMINI_PROJECT_DIR',
  'CURSOR_VERSION',
  'QWEN_PROJECT_DIR',
];

/** By program, the arguments with which it works by itself and ends. */
export const HOOK_ALONE: Readonly<Record<string, readonly string[]>> = {
  codex: ['exec', 'e'],
  gemini: ['-p', '--prompt'],
};
