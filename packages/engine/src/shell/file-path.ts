/**
 * One spelling per path: no `./`, no double or trailing slash, `..` resolved, forward slashes;
 * joined to `directory` if that is known.
 */
export function filePath(path: string, directory: string | null = null): string {
  let text = path.startsWith('file://') ? path.slice(7) : path;
  if (text.includes('\\') && (!text.includes('/') || /^[A-Za-z]:/.test(text)))
    text = text.replaceAll('\\', '/');
  if (directory && !isRooted(text)) text = `${directory}/${text}`;
  return isPlain(text) ? text : resolved(text);
}

const isPlain = (text: string): boolean =>
  !text.includes('//') &&
  !text.includes('./') &&
  !text.endsWith('.') &&
  (!text.endsWith('/') || text.length === 1);

/** The path without `.`, `..` and empty parts. */
function resolved(text: string): string {
  const rooted = text.startsWith('/');
  const parts: string[] = [];
  for (const part of text.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '..' || !rooted) parts.push(part);
  }
  return rooted ? `/${parts.join('/')}` : parts.join('/') || '.';
}

const isRooted = (path: string): boolean =>
  path.startsWith('/') ||
  path.startsWith('~') ||
  path.startsWith('$') ||
  (path.charCodeAt(1) === 58 && /^[A-Za-z]:/.test(path));
