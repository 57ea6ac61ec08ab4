const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as it may stand in HTML, in attributes too. */
export const htmlText = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ENTITIES[sign]!);
