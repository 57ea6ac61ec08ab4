import { type Json, type ProviderApi, rule, sse, words } from './provider-api.ts';

/** Google's generateContent. */
export const geminiApi = (): ProviderApi => {
  let signs = false;
  return {
    asks: (url) => /^\/v1beta\/models\/[^/]+:(?:stream)?generateContent/i.test(url),
    isStreamed: (_, url) => /:stream/.test(url),
    read({ contents }) {
      const calls: string[] = [];
      const answered: string[] = [];
      const results: string[] = [];
      let prompt = '';
      for (const [i, { role, parts }] of (contents as Json[]).entries()) {
        rule(parts.length > 0, `content ${i} is empty`);
        for (const part of parts) rule(part.text !== '', `content ${i} has an empty text`);
        const own: Json[] = parts.filter((part: Json) => part.functionCall);
        const returned: Json[] = parts.filter((part: Json) => part.functionResponse);
        if (own.length > 0 && signs)
          rule(
            own[0].thoughtSignature !== undefined,
            `content ${i}: the first call lacks its thought signature`,
          );
        calls.push(...own.map(({ functionCall }, j) => functionCall.id ?? `${i}.${j}`));
        answered.push(
          ...returned.map(({ functionResponse }, j) => functionResponse.id ?? `${i - 1}.${j}`),
        );
        results.push(
          ...returned.map(({ functionResponse: { response } }) =>
            Object.values(response).join('\n\n'),
          ),
        );
        if (role === 'user' && returned.length === 0)
          prompt = parts.map(({ text }: Json) => text).join('\n');
        if (role !== 'model' || i === contents.length - 1) continue;
        const names = (list: Json[], name: string) =>
          list
            .map((part) => part[name]?.name)
            .filter(Boolean)
            .join();
        rule(
          names(contents[i + 1].parts, 'functionResponse') === names(parts, 'functionCall'),
          `content ${i + 1}: expected one response for each call`,
        );
      }
      return { prompt, calls, answered, results };
    },
    write(_, { id, text, calls = [], thought }) {
      signs = thought !== undefined || signs;
      const texts = [
        ...(thought === undefined ? [] : [{ text: thought, thought: true }]),
        ...words(text).map((word) => ({ text: word })),
      ];
      // As the API does without ids when they are left out of the script.
      const called = calls.map(({ id, tool, args }, i) => ({
        functionCall: { ...(id === '' ? {} : { id }), name: tool, args },
        ...(thought !== undefined && i === 0 ? { thoughtSignature: `signature ${thought}` } : {}),
      }));
      const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
      const base = { modelVersion: 'scripted', responseId: id };
      const candidate = (parts: Json[], end: object) => ({
        candidates: [{ content: { role: 'model', parts }, ...end, index: 0 }],
        usageMetadata,
        ...base,
      });
      const chunks: Json[][] = [
        ...texts.map((part) => [part]),
        ...(called.length > 0 ? [called] : []),
      ];
      return {
        whole: candidate(
          [
            ...(thought === undefined ? [] : texts.slice(0, 1)),
            ...(text === undefined ? [] : [{ text }]),
            ...called,
          ],
          {
            finishReason: 'STOP',
          },
        ),
        events: chunks.map((parts, i) =>
          sse(candidate(parts, i === chunks.length - 1 ? { finishReason: 'STOP' } : {})),
        ),
      };
    },
    failure: (message, code) => ({ error: { code, message, status: 'INVALID_ARGUMENT' } }),
  };
};
