// An agent made with the SDK that asks for permission and runs the same failing command; MANNER says what it does when it is told something.
import { Readable, Writable } from 'node:stream';

const { agent, ndJsonStream } = await import(process.env.ACP_SDK);
const { MANNER = '' } = process.env;
let calls = 0;
let isCancelled = false;

async function work(client, sessionId, text) {
  const update = (given) => client.notify('session/update', { sessionId, update: given });
  isCancelled = false;
  if (text.includes('Unrut') && MANNER === 'learns') {
    await update({
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text: 'I take another way.' },
    });
    return { stopReason: 'end_turn' };
  }
  for (let n = 0; n < 25; n++) {
    if (isCancelled) return { stopReason: 'cancelled' };
    const toolCallId = `call-${++calls}`;
    const rawInput = { command: MANNER === 'works' ? `cat page-${calls}.txt` : 'sh check.sh' };
    const call = { toolCallId, title: rawInput.command, kind: 'execute', rawInput };
    await update({ sessionUpdate: 'tool_call', status: 'pending', ...call });
    const options = [
      { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
      { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
    ];
    const { outcome } = await client.request('session/request_permission', {
      sessionId,
      toolCall: call,
      options,
    });
    if (outcome.optionId !== 'allow') {
      await update({
        sessionUpdate: 'tool_call_update',
        toolCallId,
        status: 'failed',
        content: [{ type: 'content', content: { type: 'text', text: 'Rejected.' } }],
      });
      continue;
    }
    await update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress' });
    const output =
      MANNER === 'works'
        ? `Page ${calls}: ${Array.from({ length: 9 }, (_, i) => ((calls * 7919 + i * 104729) >>> 0).toString(36).repeat(2)).join(' ')}`
        : 'The check failed: expected 3, got 4.';
    await update({
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: MANNER === 'works' ? 'completed' : 'failed',
      rawOutput: { output },
    });
    // What the editor sends in answer comes in between.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { stopReason: 'end_turn' };
}

const app = agent()
  .onRequest('initialize', () => ({ protocolVersion: 1, agentCapabilities: {} }))
  .onRequest('session/new', () => ({ sessionId: 'only' }))
  .onRequest('session/prompt', ({ params, client }) =>
    work(client, params.sessionId, params.prompt.map(({ text }) => text).join('\n')),
  )
  .onNotification('session/cancel', () => {
    isCancelled = true;
  });
app.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
