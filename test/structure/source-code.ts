/** A TypeScript source, told apart into what runs and what is only said. */
export interface SourceCode {
  /**
   * The source at its full length, with comments and the insides of strings and regular expressions
   * blanked out.
   */
  code: string;
  /** What stands between quotes; a template's literal parts, one by one. */
  strings: Said[];
}

export interface Said {
  text: string;
  /** Index of its first character in the source. */
  at: number;
}

/** Words after which a slash begins a regular expression and not a division. */
const BEFORE_PATTERN =
  /(?:^|[^\w$.])(?:return|typeof|case|in|of|do|else|void|delete|throw|new|yield|await)$/;

const beginsPattern = (codeBefore: string): boolean => {
  const before = codeBefore.trimEnd();
  return !/[\w$)\]}'"`]$/.test(before) || BEFORE_PATTERN.test(before.slice(-12));
};

/** Reads a source once from the front. Sources that do not compile give some answer, not an error. */
export function readSourceCode(source: string): SourceCode {
  const strings: Said[] = [];
  /** For every template that is open: how many braces are open inside its current `${}`. */
  const templates: number[] = [];
  let code = '';
  let i = 0;

  const keep = (count: number): void => {
    code += source.slice(i, i + count);
    i += count;
  };
  const blankUntil = (end: number): void => {
    code += source.slice(i, end).replace(/[^\n]/g, ' ');
    i = end;
  };
  const endOf = (isEnd: (at: number) => boolean): number => {
    let end = i;
    while (end < source.length && !isEnd(end)) end += source[end] === '\\' ? 2 : 1;
    return Math.min(end, source.length);
  };
  const say = (isEnd: (at: number) => boolean): void => {
    const end = endOf(isEnd);
    strings.push({ text: source.slice(i, end), at: i });
    blankUntil(end);
  };
  const template = (): void => {
    say((at) => source[at] === '`' || source.startsWith('${', at));
    if (source[i] === '`') keep(1);
    else {
      templates.push(0);
      keep(2);
    }
  };

  while (i < source.length) {
    const here = source[i]!;
    const open = templates.length - 1;
    if (source.startsWith('//', i)) blankUntil(endOf((at) => source[at] === '\n'));
    else if (source.startsWith('/*', i)) {
      const end = source.indexOf('*/', i + 2);
      blankUntil(end < 0 ? source.length : end + 2);
    } else if (here === "'" || here === '"') {
      keep(1);
      say((at) => source[at] === here || source[at] === '\n');
      keep(1);
    } else if (here === '`') {
      keep(1);
      template();
    } else if (here === '/' && beginsPattern(code.slice(-80))) {
      keep(1);
      let inClass = false;
      blankUntil(
        endOf((at) => {
          if (source[at] === '[') inClass = true;
          else if (source[at] === ']') inClass = false;
          return source[at] === '\n' || (source[at] === '/' && !inClass);
        }),
      );
      keep(1);
    } else if (here === '}' && templates[open] === 0) {
      templates.pop();
      keep(1);
      template();
    } else {
      if (open >= 0 && here === '{') templates[open]!++;
      if (open >= 0 && here === '}') templates[open]!--;
      keep(1);
    }
  }
  return { code, strings };
}

export interface Import {
  /** What is imported, or `null` when it is worked out at run time. */
  specifier: string | null;
  at: number;
}

/**
 * Every `import`, `export … from`, `import()` and `require()` of a source, also those of types
 * alone.
 */
export function importsOf({ code, strings }: SourceCode): Import[] {
  const imports: Import[] = [];
  for (const match of code.matchAll(
    /(?<![\w$.])(?:(?:import|require)\s*\(\s*|(?:from|import)\s*)(?=(['"])|.)/g,
  )) {
    const at = match.index;
    const inside = at + match[0].length + 1;
    if (match[1])
      imports.push({ specifier: strings.find((said) => said.at === inside)?.text ?? null, at });
    else if (match[0].includes('(')) imports.push({ specifier: null, at });
  }
  return imports;
}

/** 1-based line of a place in a source. */
export const lineOf = (source: string, at: number): number =>
  source.slice(0, at).split('\n').length;
