import { fieldsOf, listOf, type ModelApi, readConversation, streamed } from './model.ts';

/** Google's generateContent, as Gemini CLI asks it. */
export const geminiContent: ModelApi = {
  asks: (url) => /:(stream)?generatecontent/i.test(url),
  read(body) {
    const { tools, contents } = fieldsOf(body);
    const declared = listOf(listOf(tools)[0]?.functionDeclarations);
    return declared.length > 2
      ? readConversation(listOf(contents), ({ role }) => role === 'model')
      : undefined;
  },
  write({ text, calls = [] }, id) {
    const parts = [
      ...(text === undefined ? [] : [{ text }]),
      ...calls.map(({ name, args }, i) => ({
        functionCall: { id: `call_${id}_${i}`, name, args },
      })),
    ];
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
    return streamed({
      candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
      usageMetadata,
    });
  },
};
