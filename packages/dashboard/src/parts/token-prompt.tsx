import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { isTokenWanted, signInAddress, token } from '../api/token.ts';
import { useStore } from '../store.ts';
import { useTitle } from './use-title.ts';

/** Messages after a failed sign-in, by the reason in the address. */
const FAILED: Readonly<Record<string, string>> = {
  'not-begun': 'The sign-in took longer than ten minutes, or was begun in another browser.',
  'unverified-email':
    'Your organisation’s sign-in says that your email address is not verified. Verify it there, then sign in again.',
  'no-person':
    'Your organisation’s sign-in did not say who you are. An admin can name another claim in UNRUT_OIDC_CLAIM.',
  denied: 'Your organisation’s sign-in did not let you in. Ask its admins for access to Unrut.',
  'not-confirmed':
    'Your organisation’s sign-in did not confirm who you are. The log of this server says why.',
};

/** The requested page, without the reason of the last failure. */
function wantedPage(): string {
  const { pathname, searchParams } = new URL(location.href);
  searchParams.delete('sign-in');
  const rest = searchParams.toString();
  return rest === '' ? pathname : `${pathname}?${rest}`;
}

/** Asks users to sign in, if possible, or for the server's token. */
export function TokenPrompt(): JSX.Element {
  const signIn = useStore(signInAddress);
  const heading = signIn === '' ? 'This server asks for a token' : 'Sign in to Unrut';
  useTitle(signIn === '' ? 'Token' : 'Sign in');
  const failure = FAILED[new URLSearchParams(location.search).get('sign-in') ?? ''];
  return (
    <div class="token">
      <h1>{heading}</h1>
      {failure !== undefined && (
        <p class="problem" role="alert">
          You are not signed in. {failure}
        </p>
      )}
      {signIn !== '' && (
        <>
          <p>Use the account that you have in your organisation.</p>
          <p>
            <a class="button" href={`${signIn}?to=${encodeURIComponent(wantedPage())}`}>
              Sign in
            </a>
          </p>
          <h2>Or use a key</h2>
        </>
      )}
      <TokenForm />
    </div>
  );
}

function TokenForm(): JSX.Element {
  const [typed, setTyped] = useState('');
  const isForPeople = useStore(signInAddress) !== '';
  const wasRefused = token.get() !== '';
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    token.set(typed.trim());
    isTokenWanted.set(false);
  };
  const name = isForPeople ? 'Key' : 'Token';
  return (
    <form onSubmit={submit}>
      <p>
        {isForPeople ? (
          <>
            An admin makes one with <code>unrut key add --scope read</code>.
          </>
        ) : (
          <>
            It is the one that <code>unrut serve</code> was started with, as{' '}
            <code>UNRUT_TOKEN</code> or <code>--token</code>, or a key that{' '}
            <code>unrut key add --scope read</code> printed.
          </>
        )}{' '}
        It is kept until this tab is closed.
      </p>
      {wasRefused && (
        <p class="problem" role="alert">
          The server refused the {name.toLowerCase()}. Is it complete?
        </p>
      )}
      {/* Password managers file the token under it. */}
      <input type="text" autocomplete="username" value="unrut" hidden readOnly />
      <label>
        {name}
        <input
          type="password"
          autocomplete="current-password"
          required
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
      <button type="submit">Show the dashboard</button>
    </form>
  );
}
