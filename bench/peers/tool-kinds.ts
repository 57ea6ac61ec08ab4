import { isObject, type JsonObject } from '@unrut/engine/json';

/**
 * Peers list their own tools by name. Here each list has other agents' names for the same tools, in
 * lower case without separators; otherwise no list would match another agent's run.
 */
const list = (names: string): ((tool: string) => boolean) => {
  const known = new Set(names.split(' '));
  return (tool) => known.has(tool.toLowerCase().replace(/[^a-z]/g, ''));
};

export const isReading = list(
  'read readfile readmanyfiles readrange view viewfile openfile opendirectory ls listdir listdirectory listfiles glob findfile findfiles ' +
    'grep grepsearch ripgrep searchfilecontent searchfiles searchdir codesearch websearch search webfetch fetch webextract visitpage browsersnapshot',
);
export const isShell = list(
  'bash shell terminal powershell exec execcommand executebash executecommand localshell runshellcommand runterminalcmd runcommand cmdrun',
);
export const isWriting = list(
  'write writefile createfile edit editfile multiedit notebookedit replace strreplace applypatch patch insert',
);
export const isTyping = list('type typed typetext fill input inputtext');

const POLLERS = list('taskoutput bashoutput processmanage commandstatus');

/** Asks whether something that was started before is done. */
export const isPolling = ({ tool, args }: { tool: string; args: unknown }): boolean =>
  POLLERS(tool) ||
  /_(?:poll|get_result)$/.test(tool) ||
  (tool === 'process' && /^(?:poll|log)$/.test(String(fieldsOf(args).action)));

/** The arguments, when they have names. */
export const fieldsOf = (args: unknown): JsonObject => (isObject(args) ? args : {});

/** The command line of a shell call. */
export function commandOf(args: unknown): string {
  const { command, cmd } = fieldsOf(args);
  const line = typeof args === 'string' ? args : (command ?? cmd);
  return Array.isArray(line) ? line.join(' ') : typeof line === 'string' ? line : '';
}
