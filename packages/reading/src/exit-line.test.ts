import type { HostName } from '@unrut/agents/hosts';
import { hostNamed } from '@unrut/test/hosts/hook-process';
import { expect, it } from 'vitest';

const base = {
  session_id: 's',
  cwd: '/home/dev/project',
  tool_name: 'Bash',
  tool_input: { command: 'grep -rn gone .' },
};

it.each<[HostName, string, object, string]>([
  [
    'kimi',
    'nothing',
    {
      ...base,
      hook_event_name: 'PostToolUseFailure',
      tool_call_id: 'a',
      error: { message: 'Process exited with code 1\nCommand failed with exit code: 1.' },
    },
    '',
  ],
  [
    'kimi',
    'something',
    {
      ...base,
      hook_event_name: 'PostToolUseFailure',
      tool_call_id: 'a',
      error: { message: '1 failed\nCommand failed with exit code: 1.' },
    },
    '1 failed',
  ],
  [
    'pi',
    'nothing',
    {
      hook: 'tool_result',
      session: 's',
      event: {
        toolCallId: 'a',
        toolName: 'bash',
        input: {},
        content: [{ type: 'text', text: '(no output)\n\nCommand exited with code 1' }],
        isError: true,
      },
    },
    '',
  ],
  [
    'copilot',
    'something',
    {
      sessionId: 's',
      timestamp: 1,
      cwd: '/p',
      toolName: 'bash',
      toolArgs: {},
      toolResult: {
        resultType: 'success',
        textResultForLlm: 'one\n<shellId: 3 completed with exit code 1>',
      },
    },
    'one',
  ],
  [
    'factory',
    'something',
    {
      ...base,
      transcript_path: '/home/dev/.factory/t.jsonl',
      hook_event_name: 'PostToolUse',
      tool_response: 'one\n\n\n[Process exited with code 1]',
    },
    'one',
  ],
])(
  'the output of a command of %s is read without the line that says how it ended: %s',
  (name, _, payload, result) => {
    const host = hostNamed(name);
    expect(host.read(host.understand(payload)!, { at: 1 })).toEqual([
      expect.objectContaining({ type: 'call-finished', result, exitCode: 1 }),
    ]);
  },
);
