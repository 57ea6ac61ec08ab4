/**
 * How texts begin that a harness writes in the user's name: reminders, descriptions of the
 * environment, requests to continue.
 */
const HARNESS = [
  '<system-reminder>',
  '<environment_details>',
  '<environment_context>',
  '[ERROR] You did not use a tool in your previous response',
  'Please continue working on the task on whatever approach you think is suitable.',
];
/**
 * Cline and its kin write `[read_file for 'a.ts'] Result:` before the result of a call that was
 * made in text.
 */
const RESULT = /^\s*\[(\w+)(?: for [\s\S]{0,2000}?)?\] Result:/;
/** Among results, the words of a person are marked. */
const MARKED = /^\s*(?:The user .{0,200}\n)?<(feedback|answer|user_message)>([\s\S]*?)<\/\1>/;

const spokenIn = (texts: readonly string[]): string[] =>
  texts.filter((text) => !HARNESS.some((beginning) => text.trimStart().startsWith(beginning)));

/** The tool and the result of a call made in text, read from the texts of one message. */
export function textResult(texts: readonly string[]): { tool: string; result: string } | undefined {
  const spoken = spokenIn(texts);
  const first = spoken.findIndex((text) => RESULT.test(text));
  const [marker, tool] = RESULT.exec(spoken[first] ?? '') ?? [];
  if (marker === undefined) return undefined;
  const brought = [spoken[first]!.slice(marker.length), ...spoken.slice(first + 1)].filter(
    (text) => !MARKED.test(text),
  );
  return { tool: tool!, result: brought.join('\n').trim() };
}

/**
 * The user's own words in the texts of one user message; undefined if only the harness wrote it.
 * `isResult`: the message carries results of tools, so that other texts in it are not the user's
 * unless they are marked.
 */
export function personText(texts: readonly string[], isResult = false): string | undefined {
  const spoken = spokenIn(texts);
  if (isResult || spoken.some((text) => RESULT.test(text))) {
    const marked = spoken
      .map((text) => MARKED.exec(text.replace(RESULT, ''))?.[2]?.trim() ?? '')
      .filter((text) => text !== '');
    return marked.length > 0 ? marked.join('\n') : undefined;
  }
  return spoken.length > 0 || texts.length === 0 ? spoken.join('\n') : undefined;
}
