import {
  editsFile,
  type Family,
  FILE_ARGUMENTS,
  fetchesPage,
  keepsList,
  listsFiles,
  type Profile,
  readsFile,
  SHELL_TALK,
  searchesFiles,
  searchesWeb,
  startsAgent,
  talks,
  writesFile,
} from './profile.ts';

const bash: Profile = { verb: 'execute', shell: ['command'], freeText: SHELL_TALK };
/** Looks whether a program in the background has said more. */
const output: Profile = {
  verb: 'read',
  target: ['bash_id', 'shell_id', 'task_id', 'taskId', 'agentId'],
  kind: 'task',
  poll: true,
  freeText: ['timeout', 'block', 'wait_up_to'],
};
const ends: Profile = { verb: 'write', target: ['shell_id', 'bash_id', 'task_id'], kind: 'task' };
const task: Profile = { verb: 'write', target: ['taskId', 'task_id', 'subject'], kind: 'task' };

/** The text editor of Anthropic's API, under its several names: the command says what it does. */
const textEditor: Profile = {
  verb: 'unknown',
  target: ['path'],
  by: ['command'],
  subcommands: {
    view: readsFile,
    create: writesFile,
    str_replace: editsFile,
    insert: { ...editsFile, edit: { after: ['insert_text', 'new_str'] } },
    undo_edit: { verb: 'write', target: ['path'], clears: 'target' },
  },
};

/** Claude Code, and the tools of Anthropic's API that other hosts have taken over. */
export const claudeCodeTools: Family = {
  Bash: bash,
  PowerShell: bash,
  Shell: bash,
  BashOutput: output,
  TaskOutput: output,
  AgentOutputTool: output,
  Monitor: output,
  KillShell: ends,
  KillBash: ends,
  TaskStop: ends,
  Read: readsFile,
  NotebookRead: readsFile,
  Write: writesFile,
  Edit: editsFile,
  MultiEdit: editsFile,
  NotebookEdit: { ...editsFile, target: ['notebook_path'], edit: { after: ['new_source'], before: ['cell_id'] } },
  Delete: { verb: 'write', target: FILE_ARGUMENTS, clears: 'target' },
  Glob: listsFiles,
  LS: listsFiles,
  Grep: searchesFiles,
  LSP: searchesFiles,
  getDiagnostics: { verb: 'verify' },
  WebFetch: fetchesPage,
  WebSearch: searchesWeb,
  ToolSearch: searchesWeb,
  TodoWrite: keepsList,
  TodoRead: { verb: 'read', fixed: 'todo:list', wide: false },
  TaskCreate: task,
  TaskUpdate: task,
  TaskGet: { verb: 'read', target: ['taskId', 'task_id'], kind: 'task' },
  TaskList: { verb: 'read', wide: true },
  Task: startsAgent,
  Agent: startsAgent,
  Skill: { verb: 'read', target: ['skill', 'command'], kind: 'skill', wide: false },
  SlashCommand: { verb: 'execute' },
  AskUserQuestion: talks,
  EnterPlanMode: talks,
  ExitPlanMode: talks,
  SendMessage: talks,
  ScheduleWakeup: { verb: 'wait' },
  ListMcpResourcesTool: { verb: 'read', wide: true },
  ReadMcpResourceTool: { verb: 'read', target: ['uri'], kind: 'url' },
  str_replace_based_edit_tool: textEditor,
  str_replace_editor: textEditor,
  text_editor: textEditor,
};
