import { isRisky, needsPerson } from '@unrut/engine/task-parts';
import { createTaskGuard, type TaskGuardOptions, type TaskHost } from '@unrut/tasks';
import { describe, expect, test } from 'vitest';
import { createMemoryLedger } from '../../packages/cli/src/index.ts';

const newGuard = (options: TaskGuardOptions = {}, tasks?: TaskHost) =>
  createTaskGuard({ ledger: createMemoryLedger(), ...(tasks ? { tasks } : {}) }, options);

describe('a blocker that only a person can remove', () => {
  test.each([
    'no staging password',
    'missing auth token',
    'missing API key for the weather service',
    'OPENAI_API_KEY is not set',
    'needs credentials for the registry',
    'the access token has expired',
    'waiting for approval by the security team',
    'approval required',
    'not yet approved',
    'needs a sign-off from legal',
    'insufficient funds',
    'payment required',
    'the plan requires a subscription',
    'awaiting human approval',
    'blocked on approval from finance',
    'needs a budget decision',
    'login required',
    'a sign-in is needed for the vendor portal',
    'no access to the production AWS account',
    'the user must accept the terms of service',
    'quota exceeded: upgrade the plan',
    'missing `STRIPE_API_KEY`',
    'missing environment variable DEPLOY_TOKEN in CI',
    'credit card required',
    'no credentials, and nobody to ask',
    'user has to log in',
    'the owner needs to sign in first',
    'the client must approve the design',
    'the customer has to confirm the order',
    'VPN access required',
    'needs access through the VPN: no VPN access',
    'missing production access',
    'no permission to push to main',
    'needs permission to publish the package',
  ])('%j is one', (blocker) => expect(needsPerson(blocker)).toBe(true));

  test.each([
    'critic:design_system unavailable',
    'the login page is down',
    'the password reset test fails',
    'no password field on the form',
    'unexpected token in JSON',
    'missing semicolon token in the parser',
    '401 Unauthorized from our own test server',
    'permission denied: /etc/hosts',
    'the payment form does not render',
    'missing dependency: left-pad',
    'review the approval workflow code',
    'the "login required" banner does not render',
    'test of login required fails',
    'blocked by a merge conflict in approvals.ts',
    'waiting for the account page to load',
    'the terms of service page is missing a link',
    'upgrade to Node 24 fails',
    'test for expired access tokens fails',
    'an expired access token is not rejected by the middleware',
    'wrong password is accepted by login()',
    'requires the refresh token endpoint of task T3',
    'waiting for the API key rotation service',
    'missing api key header in the client',
    'missing auth token parser',
    'a missing password in login.ts is not reported',
    'token is missing in the lexer',
    'PRIMARY_KEY is missing in the schema',
    'missing approval state in the enum',
    'waiting for the approval endpoint',
    'needs consent checkbox component',
    'requires the payment module of T2',
    'payment is required field in the form',
    'insufficient funds page returns 500',
    'no budget column in the table',
    'the user must log in test fails',
    'the page says that the user has to log in',
    'the client must approve the handshake before it may send',
    'the user has to confirm the dialog twice, because of the bug',
    'VPN access banner is missing',
    'the admin access middleware returns 403',
    'needs the admin permissions table of T4',
    'no permission to write to /usr/local',
    'the test of "no write access" fails',
  ])('%j is none', (blocker) => expect(needsPerson(blocker)).toBe(false));

  test('is reported to a person after the first attempt, without authority', async () => {
    const told: string[] = [];
    const guard = newGuard({ onEscalation: ({ content }) => told.push(content) });
    void guard.recordAttempt('deploy', 'blocked', ['no staging password'], [], 's1');
    const loop = guard.detectLoop('deploy');
    expect(loop).toMatchObject({ recommendation: 'escalate', attemptCount: 1 });
    await guard.applyRecovery(loop);
    expect(told).toEqual([
      'ESCALATION: Task deploy is blocked after 1 attempt.\nHuman intervention required.\nReason: Task deploy waits for a person: no staging password. Another attempt cannot provide that.',
    ]);
    expect(guard.isSetAside('deploy')).toBe(true);
    expect(await guard.promptFor('deploy')).not.toContainEqual(
      expect.stringContaining('UNBLOCK AUTHORITY'),
    );
  });

  test('is called no loop: not in the log, not in the entry, not in what the person reads', async () => {
    const ledger = createMemoryLedger();
    const lines: string[] = [];
    const told: string[] = [];
    const guard = createTaskGuard(
      { ledger },
      { log: (line) => lines.push(line), onEscalation: ({ content }) => told.push(content) },
    );
    void guard.recordAttempt('T', 'in_progress', [], ['wrote the script'], 's1');
    void guard.recordAttempt('T', 'blocked', ['no staging password'], [], 's2');
    await guard.applyRecovery(guard.detectLoop('T'));
    const entries = await ledger.context({ topics: ['loop_recovery'] });
    expect(lines).toEqual([
      'Waiting for a person: taskId=T, attemptCount=2, recommendation=escalate',
      'Loop recovery applied: escalate',
    ]);
    expect(entries.map(({ content }) => content)).toEqual([
      'WAITING FOR A PERSON: Task T waits for a person: no staging password. Another attempt cannot provide that. Recovery applied: escalate.',
    ]);
    expect(told[0]).toMatch(/^ESCALATION: Task T is blocked after 2 attempts\.\n/);
  });

  test('twin: blockers that can be worked around, three times, are called a loop', async () => {
    const lines: string[] = [];
    const guard = newGuard({ log: (line) => lines.push(line) });
    for (let i = 1; i <= 3; i++)
      void guard.recordAttempt('T', 'blocked', ['critic unavailable'], [], `s${i}`);
    await guard.applyRecovery(guard.detectLoop('T'));
    expect(lines[0]).toMatch(/^Loop detected: blocked_task_spin, /);
  });

  test('waits while the attempt produced work of its own', () => {
    const guard = newGuard();
    const blockers = ['no staging password'];
    void guard.recordAttempt('T', 'blocked', blockers, ['wrote the script'], 's1');
    expect(guard.detectLoop('T').isLooping).toBe(false);
    void guard.recordAttempt('T', 'blocked', blockers, ['wrote the script'], 's2');
    expect(guard.detectLoop('T').recommendation).toBe('escalate');
  });

  test('together with one that can be worked around leads to authority at the third attempt', () => {
    const guard = newGuard();
    for (let i = 1; i <= 3; i++) {
      expect(guard.detectLoop('T').isLooping).toBe(false);
      void guard.recordAttempt('T', 'blocked', ['no password', 'critic unavailable'], [], `s${i}`);
    }
    expect(guard.detectLoop('T').recommendation).toBe('unblock_authority');
  });
});

describe('authority over the blockers of a task that deploys, deletes or pays', () => {
  test.each([
    ['deploy'],
    ['deploy-staging'],
    ['Delete the old accounts'],
    ['Build the image, then deploy it.'],
    ['1. Test it.\n2. Publish the package.'],
    ['Pay the open invoices.'],
    ['Delete unused accounts'],
    ['Delete unused functions from the cloud account'],
    ['Delete unused imports, then deploy.'],
    ['Drop the users table'],
    ['Publish the page'],
    ['Deploy script to production'],
    ['Release version 2'],
    ['Transfer the domain'],
  ])('%j is such a task', (text) => expect(isRisky([text])).toBe(true));

  test.each([
    ['Write the delete endpoint'],
    ['payment-form'],
    ['Fix the deployment docs'],
    ['Write the form, and pay attention to the labels.'],
    ['T7.1.2'],
    ['Drop down menu'],
    ['Drop-down menu for countries'],
    ['Drop shadow on the cards'],
    ['Publish button styling'],
    ['Delete button does nothing'],
    ['Release notes for 2.0'],
    ['Delete unused imports'],
    ['Drop dead code from src/parser.ts'],
    ['Delete the unreachable functions in the module.'],
  ])('%j is none', (text) => expect(isRisky([text])).toBe(false));

  const spin = async (id: string, options: TaskGuardOptions = {}, tasks?: TaskHost) => {
    const guard = newGuard(options, tasks);
    for (let i = 1; i <= 3; i++)
      void guard.recordAttempt(id, 'blocked', ['the registry is down'], [], `s${i}`);
    return (await guard.applyRecovery(guard.detectLoop(id))).recommendation;
  };
  const host = (known: object): TaskHost => ({
    get: () => ({ status: 'blocked', ...known }),
    setStatus() {},
  });

  test('is not granted, a person is asked', async () => {
    expect(await spin('deploy')).toBe('escalate');
    expect(await spin('T1', {}, host({ title: 'Deploy to staging' }))).toBe('escalate');
    expect(await spin('T1', {}, host({ prompt: 'Delete the old accounts.' }))).toBe('escalate');
  });

  test('is granted where that is wanted', async () => {
    expect(await spin('deploy', { enableAutoUnblock: 'always' })).toBe('unblock_authority');
    expect(await spin('T1', {}, host({ title: 'Deploy to staging', unblock: true }))).toBe(
      'unblock_authority',
    );
  });

  test('is granted for other tasks as before', async () => {
    expect(await spin('T1', {}, host({ title: 'Write the delete endpoint' }))).toBe(
      'unblock_authority',
    );
  });

  const advised = async (get: TaskHost['get'], id = 'T1') => {
    const guard = newGuard({}, { get, setStatus() {} });
    for (let i = 1; i <= 3; i++)
      await guard.recordAttempt(id, 'blocked', ['the registry is down'], [], `s${i}`);
    const loop = guard.detectLoop(id);
    return [loop.recommendation, (await guard.applyRecovery(loop)).recommendation];
  };
  const answer = (known: object) => ({ status: 'blocked', ...known });

  test('is advised as it is applied, whatever the board answers and when', async () => {
    const title = 'Deploy to production';
    const never = ['escalate', 'escalate'];
    expect(await advised(() => answer({ title }))).toEqual(never);
    expect(await advised(async () => answer({ title }))).toEqual(never);
    const granted = ['unblock_authority', 'unblock_authority'];
    expect(await advised(() => answer({ title, unblock: true }))).toEqual(granted);
    expect(await advised(async () => answer({ unblock: true }), 'deploy')).toEqual(granted);
  });

  test('twin: a board that throws or knows nothing leaves the id to judge by', async () => {
    const granted = ['unblock_authority', 'unblock_authority'];
    expect(await advised(() => undefined)).toEqual(granted);
    expect(await advised(() => Promise.reject(new Error('down')))).toEqual(granted);
    const throws = () => {
      throw new Error('no such task');
    };
    expect(await advised(throws, 'deploy')).toEqual(['escalate', 'escalate']);
  });
});
