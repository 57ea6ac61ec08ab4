import { redact } from './redact.ts';

const REASONS: Record<string, string> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'it is not in a folder',
  ELOOP: 'its symbolic links form a loop',
  Z_BUF_ERROR: 'the compressed data is truncated',
  Z_DATA_ERROR: 'the compressed data is damaged',
};

/** An error's reason in a few words. */
export function errorReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof RangeError && /call stack/.test(message)) return 'it is nested too deeply';
  return (
    (code !== undefined && REASONS[code]) ||
    redact(message ?? String(error))
      .replace(/^\[unrut\] /, '')
      .split('\n', 1)[0]!
  );
}
