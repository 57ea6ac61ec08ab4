// In the place of OpenAI: a model that asks for the same search for ever. Run it: node examples/gateway/stuck-model.mjs 9999
import { createServer } from 'node:http';

let asked = 0;
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const call = { id: `call_${++asked}`, type: 'function', function: { name: 'search', arguments: '{"query":"the answer"}' } };
    const message = { role: 'assistant', content: null, tool_calls: [call] };
    const choices = [{ index: 0, message, finish_reason: 'tool_calls' }];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: `chatcmpl-${asked}`, object: 'chat.completion', created: 0, model: 'stuck', choices }));
  });
});
server.listen(Number(process.argv[2] ?? 9999), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
