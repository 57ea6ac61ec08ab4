import {
  editsFile,
  type Family,
  fetchesPage,
  keepsList,
  listsFiles,
  type Profile,
  readsFile,
  readsList,
  readsResource,
  removesFile,
  runsCommand,
  searchesFiles,
  searchesWeb,
  startsAgent,
  talks,
  toolsNamed,
  waits,
  writesFile,
} from './profile.ts';

/** Checks whether a background program has printed more. */
const output: Profile = {
  verb: 'read',
  target: ['bash_id', 'shell_id', 'task_id', 'taskId', 'agentId'],
  kind: 'task',
  poll: true,
  asks: 'state',
  freeText: ['timeout', 'block', 'wait_up_to'],
};
const ends: Profile = {
  verb: 'write',
  target: ['shell_id', 'bash_id', 'task_id'],
  kind: 'task',
  endsJobs: true,
};
const task: Profile = { verb: 'write', target: ['taskId', 'task_id', 'subject'], kind: 'task' };

/** The text editor of Anthropic's API under its various names. The command says what it does. */
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

/** Claude Code, and the tools of Anthropic's API that other hosts use, too. */
export const claudeCodeTools: Family = {
  ...toolsNamed('Bash PowerShell Shell', runsCommand),
  ...toolsNamed('BashOutput TaskOutput AgentOutputTool Monitor', output),
  ...toolsNamed('KillShell KillBash TaskStop', ends),
  ...toolsNamed('Read NotebookRead', readsFile),
  Write: writesFile,
  ...toolsNamed('Edit MultiEdit', editsFile),
  NotebookEdit: {
    ...editsFile,
    target: ['notebook_path'],
    edit: { after: ['new_source'], before: ['cell_id'] },
  },
  Delete: removesFile,
  ...toolsNamed('Glob LS', listsFiles),
  ...toolsNamed('Grep LSP', searchesFiles),
  getDiagnostics: { verb: 'verify' },
  WebFetch: fetchesPage,
  ...toolsNamed('WebSearch ToolSearch', searchesWeb),
  TodoWrite: keepsList,
  TodoRead: readsList,
  ...toolsNamed('TaskCreate TaskUpdate', task),
  TaskGet: { verb: 'read', target: ['taskId', 'task_id'], kind: 'task' },
  ...toolsNamed('TaskList ListMcpResourcesTool', { verb: 'read', wide: true }),
  ...toolsNamed('Task Agent', startsAgent),
  Skill: { verb: 'read', target: ['skill', 'command'], kind: 'skill', wide: false },
  SlashCommand: { verb: 'execute' },
  ...toolsNamed('AskUserQuestion EnterPlanMode ExitPlanMode SendMessage', talks),
  ScheduleWakeup: waits,
  ReadMcpResourceTool: readsResource,
  ...toolsNamed('str_replace_based_edit_tool str_replace_editor text_editor', textEditor),
};
