import type { HookHostName } from '../../src/adapters/index.ts';
import type { Payload } from './hook-process.ts';

const cwd = '/home/dev/project';
const ARGS = { command: 'npm test' };
const FAILED = 'Exit code 1\n1 failed';

/** What a host hands to its hooks around the n-th try of a command that always fails in the same way. */
export interface LoopingHost {
  before(n: number): Payload;
  /** In the order in which the hooks are called. */
  after(n: number): Payload[];
  /** Also a call that was refused is shown afterwards. */
  afterRefusal?(n: number): Payload[];
  /** Whether an answer refuses the call, and whether it ends the run, as the host's documentation has it. */
  refuses(stdout: Payload | string): boolean;
  stops(stdout: Payload | string): boolean;
}

const inside = (stdout: Payload | string): Payload => ((stdout as Payload).hookSpecificOutput ?? {}) as Payload;
const refusesLikeClaude = (stdout: Payload | string): boolean =>
  inside(stdout).permissionDecision === 'deny' && inside(stdout).permissionDecisionReason !== '';
const stopsLikeClaude = (stdout: Payload | string): boolean => (stdout as Payload).continue === false;
const never = (): boolean => false;

const claudeBase = (folder: string, more: Payload = {}) => ({
  session_id: 's',
  transcript_path: `/home/dev/${folder}/t.jsonl`,
  cwd,
  ...more,
});
const call = (n: number) => ({ tool_name: 'Bash', tool_input: ARGS, tool_use_id: `t${n}` });
const batch = (n: number, response: unknown) => [{ ...call(n), tool_response: response }];
const at = (n: number, part: number) => new Date(1_794_800_000_000 + 5000 * n + 1000 * part).toISOString();

const claude = claudeBase('.claude');
const codex = claudeBase('.codex', { turn_id: 'turn' });
const gemini = claudeBase('.gemini');
const qwen = claudeBase('.qwen');
const cursor = { conversation_id: 's', generation_id: 'g', cursor_version: '2.6.0', cwd };
const kimi = { session_id: 's', cwd };
const cline = { clineVersion: '3.60.0', taskId: 's', agent_id: 'a', parent_agent_id: null };
const opencode = { session: 's', cwd };
const geminiCall = { tool_name: 'run_shell_command', tool_input: ARGS };
const geminiText = (n: number) => `Output: 1 failed\nExit Code: 1\nProcess Group PGID: ${1900 + n}`;

/** Only the model's id is the same in all hooks of Qwen Code. */
const qwenCall = (n: number) => ({ tool_name: 'run_shell_command', tool_input: ARGS, tool_use_id: `call_${n}`, tool_call_id: `call_${n}` });
const qwenEnd = (n: number, error: string, type: string) => ({
  ...qwenCall(n),
  status: 'error',
  tool_response: { response_parts: [{ functionResponse: { name: 'run_shell_command', response: { error } } }], error, error_type: type },
});

export const LOOPING: Record<HookHostName, LoopingHost> = {
  'claude-code': {
    before: (n) => ({ ...claude, hook_event_name: 'PreToolUse', ...call(n) }),
    after: (n) => [
      { ...claude, hook_event_name: 'PostToolUseFailure', ...call(n), error: FAILED, is_interrupt: false, duration_ms: 30 + n },
      { ...claude, hook_event_name: 'PostToolBatch', tool_calls: batch(n, FAILED) },
    ],
    afterRefusal: (n) => [{ ...claude, hook_event_name: 'PostToolBatch', tool_calls: batch(n, 'PreToolUse:Bash hook error: refused') }],
    refuses: refusesLikeClaude,
    stops: stopsLikeClaude,
  },
  codex: {
    before: (n) => ({ ...codex, hook_event_name: 'PreToolUse', ...call(n) }),
    after: (n) => [{ ...codex, hook_event_name: 'PostToolUse', ...call(n), tool_response: '1 failed: expected 2, got 3\n' }],
    refuses: refusesLikeClaude,
    stops: never,
  },
  'gemini-cli': {
    before: (n) => ({ ...gemini, hook_event_name: 'BeforeTool', timestamp: at(n, 0), ...geminiCall }),
    after: (n) => [
      { ...gemini, hook_event_name: 'AfterTool', timestamp: at(n, 1), ...geminiCall, tool_response: { llmContent: geminiText(n) } },
    ],
    refuses: (stdout) => (stdout as Payload).decision === 'deny' && (stdout as Payload).reason !== '',
    stops: stopsLikeClaude,
  },
  'qwen-code': {
    before: (n) => ({ ...qwen, hook_event_name: 'PreToolUse', timestamp: at(n, 0), ...qwenCall(n), tool_use_id: `toolu_${n}` }),
    after: (n) => [
      {
        ...qwen,
        hook_event_name: 'PostToolUseFailure',
        timestamp: at(n, 1),
        ...qwenCall(n),
        tool_use_id: `toolu_${n}`,
        error: geminiText(n),
      },
      { ...qwen, hook_event_name: 'PostToolBatch', timestamp: at(n, 2), tool_calls: [qwenEnd(n, geminiText(n), 'shell_execute_error')] },
    ],
    afterRefusal: (n) => [
      { ...qwen, hook_event_name: 'PostToolBatch', timestamp: at(n, 2), tool_calls: [qwenEnd(n, 'refused', 'execution_denied')] },
    ],
    refuses: refusesLikeClaude,
    stops: never,
  },
  copilot: {
    before: (n) => ({ sessionId: 's', timestamp: Date.parse(at(n, 0)), cwd, toolName: 'bash', toolArgs: ARGS }),
    after: (n) => [{ sessionId: 's', timestamp: Date.parse(at(n, 1)), cwd, toolName: 'bash', toolArgs: ARGS, error: '1 failed' }],
    refuses: (stdout) => (stdout as Payload).permissionDecision === 'deny' && (stdout as Payload).permissionDecisionReason !== '',
    stops: never,
  },
  cursor: {
    before: (n) => ({ ...cursor, hook_event_name: 'preToolUse', ...call(n), tool_name: 'Shell' }),
    after: (n) => [
      {
        ...cursor,
        hook_event_name: 'postToolUseFailure',
        ...call(n),
        tool_name: 'Shell',
        error_message: 'Command failed with exit code 1: 1 failed',
      },
    ],
    afterRefusal: (n) => [
      {
        ...cursor,
        hook_event_name: 'postToolUseFailure',
        ...call(n),
        tool_name: 'Shell',
        error_message: 'blocked by a hook',
        failure_type: 'permission_denied',
      },
    ],
    refuses: (stdout) => (stdout as Payload).permission === 'deny',
    stops: never,
  },
  kimi: {
    before: (n) => ({ ...kimi, hook_event_name: 'PreToolUse', tool_name: 'Shell', tool_input: ARGS, tool_call_id: `t${n}` }),
    after: (n) => [
      { ...kimi, hook_event_name: 'PostToolUseFailure', tool_name: 'Shell', tool_input: ARGS, tool_call_id: `t${n}`, error: '1 failed' },
    ],
    refuses: refusesLikeClaude,
    stops: never,
  },
  crush: {
    before: () => ({ event: 'PreToolUse', session_id: 's', cwd, tool_name: 'bash', tool_input: ARGS }),
    after: () => [],
    refuses: (stdout) => (stdout as Payload).decision === 'deny' && (stdout as Payload).reason !== '',
    stops: (stdout) => (stdout as Payload).halt === true,
  },
  cline: {
    before: (n) => ({
      ...cline,
      hookName: 'tool_call',
      timestamp: at(n, 0),
      tool_call: { id: `t${n}`, name: 'run_commands', input: ARGS },
    }),
    after: (n) => [
      {
        ...cline,
        hookName: 'tool_result',
        timestamp: at(n, 1),
        tool_result: { id: `t${n}`, name: 'run_commands', input: ARGS, output: '1 failed', error: '1 failed' },
      },
    ],
    refuses: never,
    stops: (stdout) => (stdout as Payload).cancel === true,
  },
  opencode: {
    before: (n) => ({
      ...opencode,
      hook: 'tool.execute.before',
      input: { tool: 'bash', sessionID: 's', callID: `t${n}` },
      output: { args: ARGS },
    }),
    after: (n) => [
      {
        ...opencode,
        hook: 'tool.execute.after',
        input: { tool: 'bash', sessionID: 's', callID: `t${n}`, args: ARGS },
        output: { output: '1 failed', metadata: { exit: 1 } },
      },
    ],
    refuses: (stdout) => typeof (stdout as Payload).refuse === 'string',
    stops: (stdout) => (stdout as Payload).stop === true,
  },
};
