/**
 * One spelling per path: no `./`, no double or trailing slash, `..` resolved, forward slashes;
 * joined to `directory` if that is known.
 */
export function filePath(path: string, directory: string | null = null): string {
  let text = path.startsWith('file://') ? path.slice(7) : path;
  if (text.includes('\\') && (!text.includes('/') || /^[A-Za-z]:/.test(text)))
    text = text.replaceAll('\\', '/');
  if (directory && !isRooted(text)) text = `${directory}/${text}`;
  const last = text.length - 1;
  if (
    !text.includes('//') &&
    !text.includes('./') &&
    !text.endsWith('.') &&
    (text.charCodeAt(last) !== 47 || last === 0)
  )
    return text;
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
