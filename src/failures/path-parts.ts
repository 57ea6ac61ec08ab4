/** The folder that a path names its last part in; `.` for a bare name. */
export const folderOf = (path: string): string =>
  path.replace(/[\\/]+$/, '').match(/^(.*)[\\/][^\\/]*$/s)?.[1] || (path.startsWith('/') ? '/' : '.');

/** The last part of a path. */
export const nameOf = (path: string): string => path.replace(/[\\/]+$/, '').replace(/^.*[\\/]/s, '');
