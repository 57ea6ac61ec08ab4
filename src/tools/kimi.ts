import { editsFile, type Family } from './profile.ts';

/** Kimi, where its tools are named as no other's: an edit is an object, or a list of them. */
export const kimiTools: Family = {
  StrReplaceFile: { ...editsFile, edit: { edits: 'edit' } },
};
