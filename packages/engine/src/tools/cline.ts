import { editsFile, type Family, readsFile, runsCommand, talks, toolsNamed } from './profile.ts';

/** The tools of Cline whose names no other host uses. */
export const clineTools: Family = {
  replace_in_file: editsFile,
  read_files: { ...readsFile, batch: ['files', 'paths'] },
  run_commands: runsCommand,
  ...toolsNamed('attempt_completion ask_followup_question', talks),
};
