/** A call as a peer's rule sees it. */
export interface PeerCall {
  tool: string;
  args: unknown;
  result: string;
  failed: boolean;
}

/** Another project's rule, written anew from its description. Returns the level it reaches at this call, or null. */
export interface Peer {
  name: string;
  start(): (call: PeerCall) => string | null;
}

/** JSON with sorted keys at every level. */
export function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const record = value as Record<string, unknown>;
    return `{${Object.keys(record)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${sortedJson(record[key])}`)
      .join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
