import { isLoopback } from '@unrut/engine/text/loopback';
import type { JSX } from 'preact';
import { token } from '../api/token.ts';
import { Command } from './copy.tsx';

/**
 * How to connect an agent to this server, with the server's address in the commands. Open if there
 * is no data yet.
 */
export function ConnectAgent({ isFirst = false }: { isFirst?: boolean }): JSX.Element {
  return (
    <details class="connect" open={isFirst}>
      <summary>
        <h2>{isFirst ? 'Connect your first agent' : 'Connect another agent'}</h2>
      </summary>
      {isFirst && (
        <>
          <p class="lead">
            Nothing has been recorded yet. Connect an agent in one of these ways, start it, and it
            appears here by itself.
          </p>
          <p>To look around first, play recorded sessions into an empty ledger:</p>
          <Command text="npx unrut serve --demo" />
        </>
      )}
      <dl>
        {waysTo(location.origin, token.get() !== '').map(({ what, commands, note }) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              <Command text={commands.join('\n')} />
              <p class="note">{note}</p>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

interface Way {
  what: string;
  commands: string[];
  note: string;
}

function waysTo(address: string, hasToken: boolean): Way[] {
  const isHere = isLoopback(new URL(address).hostname);
  const onThisMachine: Way[] = [
    {
      what: 'A coding agent on this machine',
      commands: ['npx unrut install claude-code'],
      note: 'Or codex, gemini-cli, opencode, cursor, copilot, qwen-code, kimi, crush, cline, goose, openclaw, hermes, pi, kiro, amp, factory. Unrut warns it when it loops, blocks the call if it keeps going, and stops the run where the host supports it.',
    },
    {
      what: 'Any agent that uses tools over MCP',
      commands: ['npx unrut mcp -- npx @playwright/mcp'],
      note: 'Write it in place of the command that starts the MCP server: Unrut stands in between.',
    },
  ];
  const elsewhere: Way = {
    what: 'A coding agent on another machine',
    commands: [`npx unrut install --http ${address} claude-code`],
    note: 'Or qwen-code. Its hooks then call this server.',
  };
  return [
    ...(isHere ? onThisMachine : [elsewhere]),
    {
      what: 'Anything that sends OpenTelemetry',
      commands: [
        `export OTEL_EXPORTER_OTLP_ENDPOINT=${address}`,
        'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
        ...(hasToken
          ? ['export OTEL_EXPORTER_OTLP_HEADERS=Authorization=Bearer%20$UNRUT_TOKEN']
          : []),
      ],
      note: 'It is only watched: spans arrive when the work is done, so nothing can be refused.',
    },
    {
      what: 'An agent of your own',
      commands: [
        "import { createClient } from 'unrut/client';",
        '',
        `const guard = createClient({ url: '${address}'${hasToken ? ', token: process.env.UNRUT_TOKEN' : ''} });`,
        'const { plan } = await guard.observe(event);',
      ],
      note: 'The same guard as in the library, with its record here. Other languages post the same events to /v1/events.',
    },
  ];
}
