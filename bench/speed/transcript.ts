import { closeSync, openSync, writeSync } from 'node:fs';
import { output } from './samples.ts';

/** The fields that a coding agent puts on every line of a transcript. */
const about = (i: number, session: string) => ({
  uuid: `3e57bfe7-22d0-4f8d-a51a-${String(i).padStart(12, '0')}`,
  parentUuid: `3e57bfe7-22d0-4f8d-a51a-${String(i - 1).padStart(12, '0')}`,
  isSidechain: false,
  timestamp: new Date(1_790_000_000_000 + i * 4000).toISOString(),
  userType: 'external',
  entrypoint: 'cli',
  cwd: '/home/dev/project',
  sessionId: session,
  version: '2.1.325',
  gitBranch: 'main',
});

const usage = {
  input_tokens: 10,
  cache_creation_input_tokens: 812,
  cache_read_input_tokens: 31_200,
  output_tokens: 240,
  server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
  service_tier: 'standard',
  cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 812 },
};

/** Sizes of results, as they are spread in real sessions: many short ones, a few long ones. */
const SIZES = [120, 300, 700, 1500, 3000, 6000, 400, 12_000, 200, 2200];

function toolOf(i: number): { name: string; input: Record<string, unknown> } {
  switch (i % 5) {
    case 0:
      return {
        name: 'Bash',
        input: {
          command: `npm test -- --run src/module-${i}.test.ts`,
          description: 'Run the tests of one module',
        },
      };
    case 1:
      return { name: 'Read', input: { file_path: `/home/dev/project/src/module-${i}.ts` } };
    case 2:
      return {
        name: 'Grep',
        input: { pattern: `handler${i}`, path: '/home/dev/project/src', output_mode: 'content' },
      };
    case 3:
      return {
        name: 'Edit',
        input: {
          file_path: `/home/dev/project/src/module-${i}.ts`,
          old_string: output(300, i),
          new_string: output(340, i + 7),
        },
      };
    default:
      return {
        name: 'Bash',
        input: {
          command: `git diff HEAD~1 -- src/module-${i}.ts | head -80`,
          description: 'See what changed',
        },
      };
  }
}

/**
 * The agent's data next to the model's text: the file that was read, or its content before the
 * edit.
 */
function kept(name: string, input: Record<string, unknown>, result: string, i: number): object {
  const filePath = input.file_path;
  if (name === 'Read')
    return {
      type: 'text',
      file: { filePath, content: result, numLines: 80, startLine: 1, totalLines: 80 },
    };
  if (name === 'Edit') {
    const { old_string: oldString, new_string: newString } = input;
    const structuredPatch = [
      {
        oldStart: 1,
        oldLines: 6,
        newStart: 1,
        newLines: 7,
        lines: [`-${String(oldString)}`, `+${String(newString)}`],
      },
    ];
    return {
      filePath,
      oldString,
      newString,
      originalFile: output(8000, i),
      structuredPatch,
      userModified: false,
      replaceAll: false,
    };
  }
  return {
    stdout: result,
    stderr: '',
    interrupted: false,
    isImage: false,
    noOutputExpected: false,
  };
}

/**
 * The transcript lines of one call: sometimes a sentence, the call, and its result, which is
 * written twice.
 */
function transcriptLines(i: number, session: string): string[] {
  const id = `toolu_${session}_${i}`;
  const message = {
    id: `msg_${i}`,
    type: 'message',
    role: 'assistant',
    model: 'claude',
    stop_reason: 'tool_use',
    usage,
  };
  const tool = toolOf(i);
  const result =
    tool.name === 'Edit'
      ? 'The file has been updated successfully.'
      : output(SIZES[i % SIZES.length]!, i);
  const said = {
    type: 'text',
    text: `Now I look at module ${i}, because its tests and its callers disagree about the order of the arguments.`,
  };
  const lines: object[] = [
    {
      type: 'assistant',
      ...about(3 * i + 1, session),
      message: { ...message, content: [{ type: 'tool_use', id, ...tool }] },
    },
    {
      type: 'user',
      ...about(3 * i + 2, session),
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: result, is_error: false }],
      },
      toolUseResult: kept(tool.name, tool.input, result, i),
    },
  ];
  if (i % 3 === 0)
    lines.unshift({
      type: 'assistant',
      ...about(3 * i, session),
      message: { ...message, content: [said] },
    });
  return lines.map((line) => JSON.stringify(line));
}

/** Writes a transcript of at least this size, and returns its number of calls. */
export function writeTranscript(path: string, bytes: number, session: string): number {
  const file = openSync(path, 'w');
  let written = 0;
  let calls = 0;
  while (written < bytes) {
    const lines: string[] = [];
    for (let k = 0; k < 200; k++) lines.push(...transcriptLines(calls++, session));
    written += writeSync(file, `${lines.join('\n')}\n`);
  }
  closeSync(file);
  return calls;
}
