/** The folder part of a path; `.` for a bare name. */
export const folderOf = (path: string): string =>
  path.replace(/[\\/]+$/, '').match(/^(.*)[\\/][^\\/]*$/s)?.[1] ||
  (path.startsWith('/') ? '/' : '.');

/** The last part of a path. */
export const nameOf = (path: string): string =>
  path.replace(/[\\/]+$/, '').replace(/^.*[\\/]/s, '');
