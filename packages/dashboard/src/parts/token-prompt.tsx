import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { isTokenWanted, signInAddress, token } from '../api/token.ts';
import { useStore } from '../store.ts';
import { useTitle } from './use-title.ts';

/** Asks for the token that the server wants. */
export function TokenPrompt(): JSX.Element {
  useTitle('Token');
  const [typed, setTyped] = useState('');
  const signIn = useStore(signInAddress);
  const wasRefused = token.get() !== '';
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    token.set(typed.trim());
    isTokenWanted.set(false);
  };
  return (
    <form class="token" onSubmit={submit}>
      <h1>This server asks for a token</h1>
      <p>
        It is the one that <code>unrut serve</code> was started with, as <code>UNRUT_TOKEN</code> or{' '}
        <code>--token</code>. It is kept until this tab is closed.
      </p>
      {signIn !== '' && (
        <p>
          <a class="button" href={signIn}>
            Sign in
          </a>{' '}
          with the account of your organisation, or use a key:
        </p>
      )}
      {wasRefused && (
        <p class="problem" role="alert">
          The server refused the token. Is it complete?
        </p>
      )}
      {/* Password managers file the token under it. */}
      <input type="text" autocomplete="username" value="unrut" hidden readOnly />
      <label>
        Token
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
