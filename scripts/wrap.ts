const COLUMNS = 100;

/** Words, with code in backticks whole. What would begin a list or a heading stays with its word. */
const WORDS = /(?:`[^`\n]{1,80}`|\S)+(?: (?:[-+*>#]+|\d+[.)])(?= ))?/g;

/** A text in lines of at most 100 columns, each with the prefix. */
function lines(text: string, prefix: string): string[] {
  const all: string[] = [];
  let line = '';
  for (const word of text.match(WORDS) ?? []) {
    if (line === '') line = word;
    else if (prefix.length + line.length + 1 + word.length <= COLUMNS) line += ` ${word}`;
    else {
      all.push(line);
      line = word;
    }
  }
  return [...all, line].map((each) => prefix + each);
}

/** Markdown whose paragraphs and quotations have at most 100 columns; the rest stays as it is. */
export function wrapped(markdown: string): string {
  let fence = '';
  return markdown
    .split('\n')
    .flatMap((line) => {
      const [, mark = ''] = /^ *(`{3,})/.exec(line) ?? [];
      if (fence === '' && mark !== '') fence = mark;
      else if (fence !== '' && line.trim() === fence) fence = '';
      const isFixed = fence !== '' || mark !== '' || /^(?:\||#|<| {4})/.test(line);
      if (isFixed || line.length <= COLUMNS) return [line];
      const [prefix] = /^(?:> )*/.exec(line)!;
      return lines(line.slice(prefix.length), prefix);
    })
    .join('\n');
}
