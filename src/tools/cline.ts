import { editsFile, type Family, FILE_ARGUMENTS, readsFile, SHELL_TALK, talks } from './profile.ts';

/** Cline, where its tools are named as no other's. */
export const clineTools: Family = {
  replace_in_file: editsFile,
  read_files: { ...readsFile, batch: ['files', 'paths'], target: FILE_ARGUMENTS },
  run_commands: { verb: 'execute', shell: ['command'], freeText: SHELL_TALK },
  attempt_completion: talks,
  ask_followup_question: talks,
};
