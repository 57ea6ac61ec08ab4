import {
  editsFile,
  type Family,
  listsFiles,
  readsFile,
  removesFile,
  searchesFiles,
  toolsNamed,
  writesFile,
} from './profile.ts';

/** MCP's reference file server, and editor agents whose file tools have the same names. */
export const filesystemMcp: Family = {
  ...toolsNamed('read_file read_text_file read_media_file', readsFile),
  read_multiple_files: { verb: 'read', target: ['path'], batch: ['paths'], wide: true, look: true },
  ...toolsNamed('write_file write_to_file create_file', writesFile),
  edit_file: {
    ...editsFile,
    freeText: ['instructions'],
    when: ({ dryRun }) =>
      dryRun === true ? { verb: 'read', effect: 'none', patch: false, look: true } : null,
  },
  ...toolsNamed('replace_in_file apply_diff insert_content', editsFile),
  delete_file: removesFile,
  create_directory: { verb: 'write', target: ['path'] },
  move_file: { verb: 'write', target: ['destination'], clears: 'target', effect: 'any' },
  ...toolsNamed('list_directory list_directory_with_sizes list_files directory_tree', listsFiles),
  list_allowed_directories: { verb: 'read', wide: false },
  search_files: searchesFiles,
  get_file_info: { verb: 'read', target: ['path'] },
};
