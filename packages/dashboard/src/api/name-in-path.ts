/** A name as part of a path. Browsers resolve `.` and `..`, so the server reads %2E as a dot. */
export const nameInPath = (name: string): string =>
  encodeURIComponent(/^\.{1,2}$/.test(name) ? name.replaceAll('.', '%2E') : name);
