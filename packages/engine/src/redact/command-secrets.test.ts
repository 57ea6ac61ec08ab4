import { describe, expect, test } from 'vitest';
import { createGuard } from '../guard.ts';

/** Commands as people type them; what must not be read stands between braces. */
const COMMANDS = [
  'export DB_PASSWORD="{alpha beta77 gamma88}" && ./run.sh',
  "PGPASSWORD='{my pass phrase77}' psql -c 'select 1'",
  `API_TOKEN='{it''s s3cr3t-words two77}' ./deploy`,
  'mysql -u root -p{hunter2Xq9} app',
  'mysqldump --host db -p{hunter2Xq9} app',
  'sshpass -p {hunter2Xq9} ssh root@host',
  'docker login -u bob -p {hunter2Xq9} registry.test',
  'redis-cli -h cache -a {hunter2Xq9} ping',
  'openssl enc -aes256 -k {hunter2Xq9} -in a -out b',
  'openssl rsa -in key.pem -passin pass:{hunter2Xq9}',
  'vault login {hunter2Xq9}',
  'smbclient //host/share -U bob%{hunter2Xq9}',
  'htpasswd -b .htpasswd bob {hunter2Xq9}',
  'echo {hunter2Xq9} | sudo -S apt-get update',
  'net use Z: \\\\host\\share /user:bob {hunter2Xq9}',
  'net use \\\\host\\share {hunter2Xq9} /user:bob',
  'unzip -P {hunter2Xq9} archive.zip',
  "echo 'machine api.test login bob password {hunter2Xq9}' >> ~/.netrc",
  "curl 'https://store.test/a.txt?sv=2024&sig={hunter2Xq9}&se=1'",
  "curl 'https://bucket.test/a?X-Amz-Signature={0123abcdef0123abcdef}&x=1'",
  "az storage blob list --connection-string 'AccountName=a;AccountKey={c2hvcnQ=}'",
];

describe('a secret in a command is in nothing that leaves the guard', () => {
  test.each(COMMANDS)('%s', (written) => {
    const secret = /\{(.*)\}/.exec(written)![1]!;
    const command = written.replace(/[{}]/g, '');
    const guard = createGuard();
    let said = '';
    for (let i = 0; i < 5; i++) {
      const event = {
        session: 's',
        at: 1_760_000_000_000 + i * 9000,
        call: { id: `c${i}`, tool: 'Bash', args: { command } },
      };
      said += JSON.stringify([
        guard.observe({ ...event, type: 'call-proposed' }),
        guard.observe({
          ...event,
          at: event.at + 1000,
          type: 'call-finished',
          result: 'Exit code 1\nconnection refused',
          exitCode: 1,
        }),
      ]);
    }
    // A long label may be cut in the middle of the mask.
    expect(said.includes('<sec')).toBe(true);
    for (const word of secret.split(/[\s']+/).filter((each) => each.length > 3))
      expect(said.includes(word)).toBe(false);
  });

  test.each([
    'mysql -u root app',
    'docker run -p 8080:80 nginx',
    'unzip archive.zip',
    'npm login',
    'echo hello | wc -c',
    'sudo -S true',
  ])('and nothing is masked in `%s`', (command) => {
    const guard = createGuard();
    const verdict = guard.observe({
      session: 's',
      at: 1,
      type: 'call-proposed',
      call: { id: 'c', tool: 'Bash', args: { command } },
    });
    expect(JSON.stringify(verdict)).not.toContain('<secret>');
  });
});
