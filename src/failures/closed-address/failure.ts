import { defineFailure } from '../failure.ts';

const CLOSED = /err_(?:unsafe_port|unknown_url_scheme|blocked_by_client|disallowed_url_scheme)|protocol is (?:blocked|not supported)/i;

export const closedAddress = defineFailure({
  name: 'closed-address',
  means: 'the tool does not open addresses of this kind',
  recognises: ({ error, said }) => error && CLOSED.test(said),
  names: /\b(ERR_[A-Z_]+)\b|("\w+:" protocol)/,
  moves: [
    {
      name: 'read-otherwise',
      base: 0.95,
      risk: 'read_only',
      does: 'reach it another way, as this tool does not open it',
      reason: 'a local file with a file tool, a page through another port or protocol',
    },
    {
      name: 'correct-address',
      base: 0.8,
      risk: 'read_only',
      does: 'if it must be this address, ask the user for another way to it',
      reason: '',
    },
  ],
});
