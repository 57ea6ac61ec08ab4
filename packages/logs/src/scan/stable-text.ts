/** Masks values that differ between machines and repetitions: folders, ids, times and numbers. */
export const stableText = (text: string): string =>
  text
    .replace(
      /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?<![\da-z])[\da-f]{16,64}(?![\da-z])/gi,
      '*',
    )
    .replace(/\d{4}-\d\d-\d\d(?:[T_ -]?\d\d[:-]?\d\d(?:[:-]?\d\d)?)?Z?/g, '*')
    .replace(
      /(?:[A-Za-z]:)?(?:[\\/][^\s"'`\\/]+)+[\\/]([^\s"'`\\/]+[\\/][^\s"'`\\/]+)/g,
      (_, end: string) => end.replaceAll('\\', '/'),
    );
