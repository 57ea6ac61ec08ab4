import { editsFile, type Family, listsFiles, readsFile, removesFile, searchesFiles, writesFile } from './profile.ts';

/** The reference file server of MCP, and the editor agents whose file tools have the same names. */
export const filesystemMcp: Family = {
  read_file: readsFile,
  read_text_file: readsFile,
  read_media_file: readsFile,
  read_multiple_files: { verb: 'read', target: ['path'], batch: ['paths'], wide: true, look: true },
  write_file: writesFile,
  write_to_file: writesFile,
  create_file: writesFile,
  edit_file: {
    ...editsFile,
    freeText: ['instructions'],
    when: ({ dryRun }) => (dryRun === true ? { verb: 'read', effect: 'none', patch: false, look: true } : null),
  },
  replace_in_file: editsFile,
  apply_diff: editsFile,
  insert_content: editsFile,
  delete_file: removesFile,
  create_directory: { verb: 'write', target: ['path'] },
  move_file: { verb: 'write', target: ['destination'], clears: 'target', effect: 'any' },
  list_directory: listsFiles,
  list_directory_with_sizes: listsFiles,
  list_files: listsFiles,
  directory_tree: listsFiles,
  list_allowed_directories: { verb: 'read', wide: false },
  search_files: searchesFiles,
  get_file_info: { verb: 'read', target: ['path'] },
};
