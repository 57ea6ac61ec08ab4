/**
 * One of each shape in spec: names, bearers, credentials in URLs, PEM, tokens, long random strings.
 */
export const SECRETS: Record<string, string> = {
  'a token of GitHub': 'ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5',
  'a key of OpenAI': 'sk-proj-Zx81kQpLmN02bVcXyTrEwQaSdFgHjKlPoIuY',
  'an access key of AWS': 'AKIAIOSFODNN7EXAMPLE',
  'a JSON Web Token':
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  'a long random string': 'q8Zr4TnW2xKp9VbLs7YdHm3JcFg6RtEu',
};

/**
 * The secret where an agent, a tool or a host could put it, made to loop so that signals and plans
 * speak of it.
 */
export const places: Record<string, (secret: string, i: number) => object> = {
  'the name of a tool': (secret) => ({
    ...finished(`run_${secret}`, { a: 1 }),
    error: 'Error: it broke',
  }),
  'an argument': (secret, i) => ({
    ...finished('fetch_page', { token: secret }),
    result: `the same page ${i - i}`,
  }),
  'a URL with credentials': (secret) => ({
    ...finished('WebFetch', { url: `https://bob:${secret}@host.example/x` }),
    result: 'the same page',
  }),
  'the name of a file': (secret, i) => ({
    ...finished('Edit', {
      file_path: `/home/dev/${secret}/a.ts`,
      old_string: `const a = ${i};`,
      new_string: `const a = ${i + 1};`,
    }),
    result: 'The file has been updated.',
  }),
  'a shell command': (secret) => ({
    ...finished('Bash', { command: `curl -H 'Authorization: Bearer ${secret}' https://x.example` }),
    exitCode: 1,
    result: 'curl: refused',
  }),
  'a result': (secret) => ({
    ...finished('lookup', { id: 1 }),
    result: `password: ${secret} and nothing else`,
  }),
  'an error': (secret, i) => ({
    ...finished('lookup', { id: i }),
    error: `Error: token ${secret} was refused`,
  }),
  'a call id and a batch': (secret, i) => ({
    ...finished('lookup', { id: 1 }),
    call: { id: secret, tool: 'lookup', args: {} },
    batch: `${secret}${i}`,
    result: 'the same',
  }),
  'what a write left': (secret, i) => ({
    ...finished('Write', { file_path: 'a.ts', content: 'x' }),
    after: { target: secret, digest: i % 2 ? secret : 'other' },
    result: 'ok',
  }),
  'an answer': (secret) => ({
    type: 'text-added',
    channel: 'answer',
    text: `The key is ${secret}, and I will now use it again. `.repeat(9),
    done: true,
  }),
  'reasoning without end': (secret) => ({
    type: 'text-added',
    channel: 'thinking',
    text: `use ${secret} now and then wait `,
  }),
  'an output': (secret) => ({
    type: 'output-finished',
    output: `Error: API_KEY=${secret} was refused at auth.ts:45`,
  }),
  'an element of a page': (secret) => ({
    type: 'action-finished',
    action: { type: 'click' },
    target: { role: 'button', name: secret },
  }),
  'an id of an event': (secret, i) => ({
    ...finished('lookup', { id: 1 }),
    id: `${secret}${i}`,
    result: 'the same answer again',
  }),
};

let number = 0;
const finished = (tool: string, args: unknown) => ({
  type: 'call-finished',
  call: { id: `c${number++}`, tool, args },
});
