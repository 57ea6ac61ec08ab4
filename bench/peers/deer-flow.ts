import { canonicalJson, digest } from './call-key.ts';
import { definePeer, type PeerCall } from './define-peer.ts';
import { act, strongest, warn } from './peer.ts';
import { fieldsOf, isWriting } from './tool-kinds.ts';

const RESPONSES = 20;
const SAME = { warn: 3, strip: 5 };
const CALLS = 50;
const SAME_TOOL = { warn: 30, strip: 50 };
const LINES = 200;
const SALIENT = ['path', 'url', 'query', 'command', 'pattern', 'glob', 'cmd'];

/**
 * deer-flow: a response with the same calls (their telling fields) 3 times among the last twenty,
 * or one tool 30 times among the last fifty calls, is warned of once; at 5 and 50 the calls are
 * stripped.
 */
export const deerFlow = definePeer('deer-flow', () => {
  let responses: string[] = [];
  let names: string[] = [];
  let response: { round: string; calls: string[] } = { round: '', calls: [] };
  const warned = new Set<string>();
  const once = (what: string) => {
    if (warned.has(what)) return null;
    warned.add(what);
    return warn('warning');
  };
  return {
    call(call) {
      if (call.round === response.round) responses.pop();
      else response = { round: call.round, calls: [] };
      response.calls.push(`${call.tool}:${salient(call)}`);
      const hash = digest(response.calls.toSorted().join('\n'));
      responses = [...responses, hash].slice(-RESPONSES);
      names = [...names, call.tool].slice(-CALLS);
      const same = responses.filter((one) => one === hash).length;
      const sameTool = names.filter((name) => name === call.tool).length;
      if (same >= SAME.strip || sameTool >= SAME_TOOL.strip) return act('strip');
      return strongest(
        same >= SAME.warn ? once(hash) : null,
        sameTool >= SAME_TOOL.warn ? once(call.tool) : null,
      );
    },
  };
});

/**
 * The key of a call: the part of a file for reads, everything for writes, otherwise the fields that
 * describe the request.
 */
function salient({ tool, args }: PeerCall): string {
  const fields = fieldsOf(args);
  if (tool === 'read_file')
    return canonicalJson([fields.path, bucket(fields.start_line), bucket(fields.end_line)]);
  const telling = SALIENT.filter((name) => fields[name] !== undefined && fields[name] !== null);
  if (isWriting(tool) || telling.length === 0) return canonicalJson(args);
  return canonicalJson(telling.map((name) => [name, fields[name]]));
}

const bucket = (line: unknown): number => (typeof line === 'number' ? Math.floor(line / LINES) : 0);
