import { hookProcesses, hostNamed, type Payload } from '@unrut/test/hosts/hook-process';
import { describe, expect, it } from 'vitest';
import type { HostName } from './index.ts';

const NOTHING = 'Nothing actionable on my end. Waiting for the next instruction.';

const claude = (hook_event_name: string, more: Payload = {}): Payload => ({
  session_id: 's1',
  transcript_path: '/home/dev/.claude/projects/p/s1.jsonl',
  cwd: '/home/dev/p',
  hook_event_name,
  ...more,
});

const ended = (text: string, more: Payload = {}): Payload =>
  claude('Stop', {
    stop_hook_active: true,
    last_assistant_message: text,
    background_tasks: [],
    session_crons: [],
    ...more,
  });

const called = (
  id: string,
  tool_name: string,
  tool_input: unknown,
  response: string,
): Payload[] => {
  const call = { tool_name, tool_input, tool_use_id: id };
  return [claude('PreToolUse', call), claude('PostToolUse', { ...call, tool_response: response })];
};

/** The rung of each answer; undefined for an empty one. */
function answers(payloads: readonly Payload[], host: HostName = 'claude-code'): string[] {
  const hook = hookProcesses(hostNamed(host));
  return payloads.map((payload) => {
    const stdout = hook(payload).answer?.stdout as Payload | undefined;
    if (stdout === undefined) return '';
    if (stdout.continue === false || stdout.stop) return 'stop';
    return stdout.systemMessage || stdout.show ? 'told' : 'other';
  });
}

const SIX = ['', '', 'told', '', 'stop', 'stop'];

describe('turns that end with the same message', () => {
  it('are reported to the user at the third in Claude Code, and the fifth ends the run', () => {
    expect(answers(Array.from({ length: 6 }, () => ended(NOTHING)))).toEqual(SIX);
  });

  it('say to the person what repeats and who may send the agent back', () => {
    const hook = hookProcesses(hostNamed('claude-code'));
    const said = Array.from({ length: 5 }, () => hook(ended(NOTHING)).answer?.stdout as Payload);
    expect(said[2]).toEqual({
      systemMessage: expect.stringMatching(
        /^Unrut: 3 turns in a row ended with the same message .*a goal, a Stop hook/,
      ),
    });
    expect(said[4]).toEqual({
      continue: false,
      stopReason: expect.stringMatching(/^Unrut stopped the run: 5 turns in a row/),
    });
  });

  it('are alike if only numbers and names differ, and if each says in other words that nothing is left', () => {
    const counted = [1, 2, 3, 4, 5, 6].map((n) =>
      ended(`Round ${n}: the report in \`out/r${n}.md\` stands as it was written before.`),
    );
    expect(answers(counted)).toEqual(SIX);
    const reworded = [
      'Nothing actionable on my end.',
      'There is nothing left to do here; the branch stands as pushed.',
      'No further work remains for me in this repository.',
      'Everything is done. Waiting for you.',
      'As I said, there is nothing more to do.',
      'No more changes from my side.',
    ];
    expect(answers(reworded.map((text) => ended(text)))).toEqual(SIX);
    const blocked = [
      'Still waiting for the sign-off of the board, so I stop here.',
      'Blocked on the board: it has not answered.',
      'I am waiting on the board, and there is nothing I can do until it answers.',
      'The board has to sign off first; no work is left on my side.',
      'Awaiting the board.',
      'All goals of the sprint are complete, except for what the board has to decide.',
    ];
    expect(answers(blocked.map((text) => ended(text)))).toEqual(SIX);
    const hook = hookProcesses(hostNamed('claude-code'));
    const said = blocked.map((text) => hook(ended(text)).answer?.stdout as Payload);
    expect(said[2]!.systemMessage).toMatch(
      /^Unrut: 3 turns in a row ended with nothing left to do/,
    );
  });

  it('are alike if a program tells the agent to continue in between', () => {
    const rounds = Array.from({ length: 6 }, () => [
      claude('UserPromptSubmit', { prompt: 'The goal is not reached. Go on.', source: 'system' }),
      ended('Every item of the list is ticked off.'),
    ]).flat();
    expect(answers(rounds).filter((_, i) => i % 2 === 1)).toEqual(SIX);
  });

  it('are still alike if a call in between brings what is known', () => {
    const rounds = [1, 2, 3, 4, 5].flatMap((n) => [
      ...called(`t${n}`, 'Read', { file_path: '/home/dev/p/TODO.md' }, 'All items are ticked off.'),
      ended(NOTHING),
    ]);
    const at = answers(rounds);
    expect(at.filter((_, i) => i % 3 === 2)).toContain('stop');
    expect(at[2]).toBe('');
    expect(at[5]).toBe('');
  });

  it.each(['codex', 'gemini-cli'] as const)('are reported and ended in %s too', (host) => {
    const payload: Payload =
      host === 'codex'
        ? { ...ended(NOTHING), turn_id: 't1', transcript_path: '/home/dev/.codex/sessions/r.jsonl' }
        : {
            session_id: 's1',
            transcript_path: '/home/dev/.gemini/tmp/p/chats/s.jsonl',
            cwd: '/home/dev/p',
            hook_event_name: 'AfterAgent',
            prompt: 'go on',
            prompt_response: NOTHING,
            stop_hook_active: true,
          };
    expect(
      answers(
        Array.from({ length: 6 }, () => payload),
        host,
      ),
    ).toEqual(SIX);
  });

  it.each([
    ['opencode', { hook: 'session.idle', output: { text: NOTHING } }],
    [
      'pi',
      {
        hook: 'agent_end',
        event: { message: { role: 'assistant', content: [{ type: 'text', text: NOTHING }] } },
      },
    ],
  ] as const)(
    'are reported and ended in %s, whose plugin reports the end of a turn',
    (host, end) => {
      const payload = { session: 's1', cwd: '/home/dev/p', ...end };
      expect(
        answers(
          Array.from({ length: 6 }, () => payload),
          host,
        ),
      ).toEqual(SIX);
      const hook = host === 'pi' ? 'message_end' : 'experimental.text.complete';
      expect(
        answers(
          Array.from({ length: 6 }, () => ({ ...payload, hook })),
          host,
        ).filter((each) => each !== ''),
      ).toEqual([]);
    },
  );

  it('of a nested agent end that agent', () => {
    const payload = claude('SubagentStop', { agent_id: 'a1', last_assistant_message: NOTHING });
    expect(answers(Array.from({ length: 6 }, () => payload))).toEqual(SIX);
  });
});

describe('equal endings are not reported', () => {
  const quiet = (payloads: readonly Payload[]): void =>
    expect(answers(payloads).filter((each) => each !== '')).toEqual([]);
  const eight = <T>(make: (n: number) => T): T[] => Array.from({ length: 8 }, (_, n) => make(n));

  it('while background tasks run', () => {
    const background_tasks = [{ id: 'b1', type: 'shell', status: 'running' }];
    quiet(eight(() => ended('Waiting for the build to finish.', { background_tasks })));
  });

  it('while a schedule of the session wakes the agent', () => {
    quiet(eight(() => ended(NOTHING, { session_crons: [{ id: 'c1' }] })));
    quiet(
      eight(() => [
        claude('UserPromptSubmit', { prompt: 'check the inbox', source: 'loop_wakeup' }),
        ended(NOTHING),
      ]).flat(),
    );
  });

  it('if the end of a background task wakes the agent each time', () => {
    quiet(
      eight((n) => [
        claude('UserPromptSubmit', {
          prompt: `<task-notification>\n<task-id>b${n}</task-id>\n<status>completed</status>`,
          source: 'system',
        }),
        ended('Waiting for the other builds.'),
      ]).flat(),
    );
  });

  it('if the user speaks before each', () => {
    quiet(
      eight((n) => [
        claude('UserPromptSubmit', { prompt: `and now? ${n}`, source: 'user' }),
        ended('Done.'),
      ]).flat(),
    );
  });

  it('if each turn writes something', () => {
    quiet(
      eight((n) => [
        ...called(
          `t${n}`,
          'Write',
          { file_path: `/home/dev/p/chapter-${n}.md`, content: `Chapter ${n}: words ${n * 7919}` },
          `File created successfully at: /home/dev/p/chapter-${n}.md`,
        ),
        ended('The next chapter is written; everything is done for now.'),
      ]).flat(),
    );
  });

  it('if each turn looks whether something outside has changed', () => {
    quiet(
      eight((n) => [
        ...called(`t${n}`, 'Bash', { command: 'gh run watch 42' }, 'build: in progress'),
        ended('The build is still running.'),
      ]).flat(),
    );
  });

  it('if the endings differ', () => {
    const texts = [
      'The parser reads dates now.',
      'Should the cache live on disk or in memory?',
      'Renamed the module as you asked; callers follow.',
      'I could not find the invoice folder.',
      'Tests pass; the flaky one was a time zone.',
      'The migration needs a password that I do not have.',
    ];
    quiet(texts.map((text) => ended(text)));
  });

  it('if a hook of the user and one of the project report each of two endings', () => {
    const host = hostNamed('claude-code');
    const memory: never[] = [];
    const read = (from: string) =>
      host.read(host.understand(ended(NOTHING))!, { at: 1_794_800_000_000, memory, from });
    const events = [0, 1].flatMap(() => [...read('user'), ...read('project')]);
    expect(events).toHaveLength(2);
  });
});
