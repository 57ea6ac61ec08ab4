import { editsFile, type Family } from './profile.ts';

/** The tools of Kimi whose names no other host uses. An edit is an object or a list of objects. */
export const kimiTools: Family = {
  StrReplaceFile: { ...editsFile, edit: { edits: 'edit' } },
};
