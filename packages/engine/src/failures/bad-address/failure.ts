import { defineFailure } from '../failure.ts';

const BAD =
  /err_(?:name_not_resolved|invalid_url|address_(?:invalid|unreachable))|\benotfound\b|getaddrinfo|could not resolve host|name or service not known|invalid url/i;

export const badAddress = defineFailure({
  name: 'bad-address',
  means: 'no host of this name was found, or the address is not one',
  recognises: ({ error, said }) => error && BAD.test(said),
  names: /(?:ENOTFOUND|EAI_AGAIN|resolve host:?|at https?:\/\/) ?([\w.-]{2,60})/,
  moves: [
    {
      name: 'correct-address',
      base: 0.95,
      risk: 'read_only',
      does: 'check the spelling of the address where you have it from, or ask the user for the right one',
      reason: '',
    },
    {
      name: 'go-on-without',
      base: 0.75,
      risk: 'read_only',
      does: 'if the address is right, report that its host is not found from here, and go on without it',
      reason: '',
    },
  ],
});
