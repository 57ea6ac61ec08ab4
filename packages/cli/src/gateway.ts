import { openGateway } from '@unrut/adapters/gateway/open-gateway';
import { isLoopback } from '@unrut/engine/text/loopback';
import { printable } from '@unrut/engine/text/printable';
import { loadSettings } from '@unrut/ledger/config/load-settings';
import { addressOf, ledgerName, openLedger } from '@unrut/ledger/open-ledger';
import { gatewayApp } from '@unrut/server/gateway-route';
import { callerFor } from '@unrut/server/keys';
import { startServer } from '@unrut/server/start-server';
import { flagOption, optionLines, textOption, textsOption } from './arguments.ts';
import { defineCommand, NO_OPERANDS } from './command.ts';
import { complain, EXIT } from './exit.ts';
import { DRIVERS } from './ledger-drivers.ts';
import { portOption, requireKey, tokenOption, upstreamOptions } from './server-options.ts';
import { untilStopped, whenAborted } from './until-stopped.ts';

const OPTIONS = {
  upstream: textsOption(
    'NAME=URL',
    'send /NAME/… to this address, such as local=http://127.0.0.1:11434 (repeatable; openai, anthropic and gemini are\nthere, and can be given another address)',
  ),
  port: textOption('N', 'port to listen on; 0 picks a free one (default 4718)', '4718'),
  host: textOption(
    'ADDRESS',
    'address to listen on; any but a loopback address needs a token or a key (default 127.0.0.1)',
    '127.0.0.1',
  ),
  token: textOption(
    'TOKEN',
    'require this token (at least 16 characters) in the header x-unrut-token, or as /token/TOKEN before the path;\nprefer UNRUT_TOKEN, since others can see arguments',
  ),
  shadow: flagOption('record only; never act'),
} as const;

const HELP = `unrut gateway [options]

Stand between programs in any language and the API of their model, and get agents out of loops: a program only needs this base URL.
Understands chat completions, Anthropic messages, OpenAI Responses and Gemini's generateContent, streamed or not. All other requests, and all
that does not loop, pass through byte for byte. API keys pass through and are never stored. \`unrut serve\` has the same gateway on its port.

  OPENAI_BASE_URL=http://127.0.0.1:4718/openai/v1         any client of OpenAI's API
  ANTHROPIC_BASE_URL=http://127.0.0.1:4718/anthropic      any client of Anthropic's API
  GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:4718/gemini     any client of the Gemini API

${optionLines(OPTIONS, 21)}

Headers of a request, none needed: x-unrut-session names the conversation, x-unrut-agent a nested agent in it.
Exit codes: 0 stopped, 2 cannot listen or unusable ledger, 64 usage error.`;

/** Milliseconds that each write waits for other processes. */
const WAIT = 1500;

const ABOUT = { name: 'gateway', help: HELP, options: OPTIONS, operands: NO_OPERANDS } as const;

/** `unrut gateway`. */
export const gatewayCommand = defineCommand(ABOUT, async ({ values }) => {
  const { host, shadow } = values;
  const port = portOption(values.port);
  const token = tokenOption(values.token ?? process.env.UNRUT_TOKEN);
  const upstreams = upstreamOptions(values.upstream);
  const { settings, problems } = loadSettings();
  problems.forEach(complain);
  const needsKey = !isLoopback(host);
  if (needsKey) await requireKey(token, addressOf(settings.ledger));
  const ledger = await openLedger(addressOf(settings.ledger), DRIVERS, {
    ...settings.ledger,
    wait: WAIT,
  });
  const signal = untilStopped();
  try {
    const { gateway, close } = await openGateway({
      settings,
      ledger,
      upstreams,
      shadow,
      log: complain,
    });
    const caller = callerFor({ token, needsKey, ledger });
    const app = gatewayApp(gateway, { loopbackOnly: !needsKey, caller });
    const server = await startServer({ app, host, port });
    const paths = [...upstreams]
      .map(([name, { href }]) => `  ${server.url}/${name} → ${href.replace(/\/$/, '')}`)
      .join('\n');
    console.log(
      printable(
        `Listening on ${server.url}, recording to ${ledgerName(addressOf(settings.ledger))}. Press Ctrl-C to stop.`,
      ),
    );
    console.log(paths);
    await whenAborted(signal);
    await server.close();
    await close();
  } finally {
    await ledger.close();
  }
  return EXIT.ok;
});
