import { defineFailure } from '../failure.ts';

const BAD =
  /err_(?:name_not_resolved|unsafe_port|invalid_url|unknown_url_scheme|address_(?:invalid|unreachable))|\benotfound\b|getaddrinfo|could not resolve host|name or service not known|invalid url|protocol is (?:blocked|not supported)/i;

export const badAddress = defineFailure({
  name: 'bad-address',
  means: 'this address cannot be opened',
  recognises: ({ error, said }) => error && BAD.test(said),
  names: /\b(ERR_[A-Z_]+|ENOTFOUND)\b|("\w+:" protocol)/,
  moves: [
    {
      name: 'correct-address',
      base: 0.95,
      risk: 'read_only',
      does: 'ask the user for the right address, or correct what the error names',
      reason: '',
    },
    {
      name: 'read-otherwise',
      base: 0.8,
      risk: 'read_only',
      does: 'if it is a local file, read it with a file tool instead of a browser',
      reason: '',
    },
  ],
});
