/** One call of a shell, and how it ended. */
export interface ShellCall {
  command: string;
  output: string;
  exitCode: number;
}

const at = (i: number): string => new Date(Date.UTC(2026, 10, 16) + i * 20_000).toISOString();
const lines = (records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** A session of Claude Code as it writes it, with only what is read. */
export const claudeCodeSession = (
  id: string,
  folder: string,
  calls: readonly ShellCall[],
): string =>
  lines(
    calls.flatMap(({ command, output, exitCode }, i) => {
      const about = { sessionId: id, cwd: folder, version: '2.1.325', timestamp: at(i) };
      const use = { type: 'tool_use', id: `t${i}`, name: 'Bash', input: { command } };
      const text = exitCode > 0 ? `Exit code ${exitCode}\n${output}` : output;
      const result = {
        type: 'tool_result',
        tool_use_id: `t${i}`,
        content: exitCode < 0 ? output : text,
        is_error: exitCode !== 0,
      };
      return [
        {
          ...about,
          type: 'assistant',
          uuid: `${id}-a${i}`,
          message: { id: `m${i}`, role: 'assistant', model: 'claude-sonnet-4-5', content: [use] },
        },
        {
          ...about,
          type: 'user',
          uuid: `${id}-u${i}`,
          message: { role: 'user', content: [result] },
        },
      ];
    }),
  );

/** A rollout of Codex. */
export const codexRollout = (id: string, folder: string, calls: readonly ShellCall[]): string =>
  lines([
    {
      timestamp: at(0),
      type: 'session_meta',
      payload: { id, cwd: folder, originator: 'codex_exec', cli_version: '0.166.0' },
    },
    ...calls.flatMap(({ command, output, exitCode }, i) => [
      {
        timestamp: at(i),
        type: 'response_item',
        payload: {
          type: 'function_call',
          name: 'exec_command',
          arguments: JSON.stringify({ cmd: command }),
          call_id: `call_${i}`,
        },
      },
      {
        timestamp: at(i),
        type: 'response_item',
        payload: {
          type: 'function_call_output',
          call_id: `call_${i}`,
          output: `Chunk ID: 7712bd\nWall time: 41.0000 seconds\nProcess exited with code ${exitCode}\nOriginal token count: 16\nOutput:\n${output}\n`,
        },
      },
    ]),
  ]);

/** A chat of Gemini CLI. */
export const geminiChat = (id: string, calls: readonly ShellCall[]): string =>
  lines([
    { sessionId: id, projectHash: 'ee68b2a5', startTime: at(0), lastUpdated: at(0), kind: 'main' },
    ...calls.map(({ command, output, exitCode }, i) => ({
      id: `g${i}`,
      timestamp: at(i),
      type: 'gemini',
      content: '',
      model: 'gemini-2.5-flash',
      toolCalls: [
        {
          id: `run_shell_command__fc${i}`,
          name: 'run_shell_command',
          args: { command },
          result: [
            {
              functionResponse: {
                id: `run_shell_command__fc${i}`,
                name: 'run_shell_command',
                response: { output: `Output: ${output}\nExit Code: ${exitCode}` },
              },
            },
          ],
          status: 'success',
          timestamp: at(i),
        },
      ],
    })),
  ]);
