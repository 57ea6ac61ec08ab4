/** A fenced block of a Markdown text. */
export interface Fence {
  /** What follows the opening backticks. */
  info: string;
  lines: string[];
}

/** One heading and what stands under it, up to the next heading of any level. */
export interface Section {
  /** The whole line: `## Options`. */
  heading: string;
  /** Lines outside fenced blocks. */
  lines: string[];
  fences: Fence[];
}

/** The sections of a Markdown text in order. Text before the first heading has an empty one. */
export function sectionsOf(markdown: string): Section[] {
  const sections: Section[] = [{ heading: '', lines: [], fences: [] }];
  let fence: (Fence & { closing: string }) | null = null;
  for (const line of markdown.split('\n')) {
    const section = sections.at(-1)!;
    const opening = /^(`{3,})([^`]*)$/.exec(line);
    if (fence) {
      if (line.trimEnd() === fence.closing) fence = null;
      else fence.lines.push(line);
    } else if (opening) {
      fence = { info: opening[2]!.trim(), lines: [], closing: opening[1]! };
      section.fences.push(fence);
    } else if (/^#{1,6} /.test(line))
      sections.push({ heading: line.trimEnd(), lines: [], fences: [] });
    else section.lines.push(line);
  }
  return sections;
}

export const sectionOf = (markdown: string, heading: string): Section | undefined =>
  sectionsOf(markdown).find((section) => section.heading === heading);

/**
 * The rows of the first table among these lines, its head first and without the ruler; none where
 * there is no table.
 */
export function tableIn(lines: readonly string[]): string[][] {
  const start = lines.findIndex((line) => line.startsWith('|'));
  if (start < 0) return [];
  const after = lines.slice(start);
  const end = after.findIndex((line) => !line.startsWith('|'));
  const rows = after.slice(0, end < 0 ? after.length : end).map((line) =>
    line
      .trim()
      .replace(/^\||(?<!\\)\|$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  );
  return rows.filter((_, index) => index !== 1);
}

/** A cell without the backticks around it. */
export const plain = (cell: string): string => /^(`+)\s?(.*?)\s?\1$/.exec(cell)?.[2] ?? cell;
