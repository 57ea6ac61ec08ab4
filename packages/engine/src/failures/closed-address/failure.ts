import { defineFailure } from '../failure.ts';

const CLOSED =
  /err_(?:unsafe_port|unknown_url_scheme|blocked_by_client|disallowed_url_scheme)|protocol is (?:blocked|not supported)/i;

export const closedAddress = defineFailure({
  name: 'closed-address',
  means: 'the tool does not open addresses of this kind',
  recognises: ({ error, said }) => error && CLOSED.test(said),
  names: /\b(ERR_[A-Z_]+)\b|"(\w+:)" protocol/,
  moves: [
    {
      name: 'read-otherwise',
      base: 0.95,
      risk: 'read_only',
      does: 'read it otherwise, as this tool does not open such addresses',
      reason: 'a local file can be read with a file tool',
    },
    {
      name: 'correct-address',
      base: 0.8,
      risk: 'read_only',
      does: 'tell the user which address you need and why, and ask how to go on',
      reason: '',
    },
  ],
});
