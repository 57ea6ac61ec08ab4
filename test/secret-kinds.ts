/** Random-looking, the same in every run. */
function letters(seed: number, length: number, alphabet: string): string {
  let state = seed * 2_654_435_761 + 12_345;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return alphabet[(state >>> 10) % alphabet.length];
  }).join('');
}
const SMALL = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const MIXED = SMALL + SMALL.toUpperCase() + DIGITS;
const mixed = (seed: number, length: number): string => `${letters(seed, length - 2, MIXED)}q7`;
const hex = (seed: number, length: number): string => letters(seed, length, '0123456789abcdef');
const capitals = (seed: number, length: number): string =>
  letters(seed, length, SMALL.toUpperCase() + DIGITS);
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A text as people and programs write it, with the secret between braces. */
const TEXTS: Readonly<Record<string, string>> = {
  'AWS access key': `{AKIA${capitals(1, 16)}}`,
  'AWS temporary key': `{ASIA${capitals(2, 16)}}`,
  'AWS secret': `aws_secret_access_key = {${mixed(3, 40)}}`,
  'GitHub token': `{ghp_${mixed(4, 36)}}`,
  'GitHub app token': `{ghs_${mixed(5, 36)}}`,
  'GitHub fine-grained token': `{github_pat_${mixed(6, 59)}}`,
  'GitLab token': `{glpat-${mixed(7, 20)}}`,
  'Slack bot token': `{xoxb-${letters(8, 12, DIGITS)}-${mixed(8, 24)}}`,
  'Slack app token': `{xapp-1-${capitals(9, 10)}-${mixed(9, 30)}}`,
  'Stripe key': `{sk_live_${mixed(10, 24)}}`,
  'Stripe restricted key': `{rk_test_${mixed(11, 24)}}`,
  'webhook secret': `{whsec_${mixed(12, 32)}}`,
  'Google key': `{AIza${mixed(13, 35)}}`,
  'npm token': `{npm_${mixed(14, 36)}}`,
  'PyPI token': `{pypi-${mixed(15, 60)}}`,
  'OpenAI key': `{sk-proj-${mixed(16, 48)}}`,
  'Anthropic key': `{sk-ant-api03-${mixed(17, 48)}}`,
  'Hugging Face token': `{hf_${mixed(18, 34)}}`,
  'DigitalOcean token': `{dop_v1_${hex(19, 64)}}`,
  'Shopify token': `{shpat_${hex(20, 32)}}`,
  'Unrut key': `{unrut_${hex(21, 12)}_${mixed(21, 43)}}`,
  'JSON web token': `{${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: '1234567890', name: 'bob' })}.${mixed(22, 43)}}`,
  'private key': `-----BEGIN RSA PRIVATE KEY-----\n{${mixed(23, 64)}}\n-----END RSA PRIVATE KEY-----`,
  'long random text': `{${mixed(24, 40)}}`,
  'long hexadecimal': `{${hex(25, 69)}9}`,
  'bearer header': `Authorization: Bearer {${mixed(26, 22)}}`,
  'basic header': `Authorization: Basic {${Buffer.from(`bob:${mixed(27, 10)}`).toString('base64')}}`,
  'token header': `X-Auth-Token: {${mixed(28, 18)}}`,
  cookie: `Cookie: session={${mixed(29, 18)}}`,
  'set-cookie': `Set-Cookie: sid={${mixed(30, 18)}}; HttpOnly`,
  'address of a database': `postgres://bob:{${mixed(31, 12)}}@db.example/app`,
  'address with a token': `https://{${mixed(32, 20)}}@git.example/a/b.git`,
  'address of a cache': `redis://:{${mixed(33, 12)}}@cache.example:6379/0`,
  'signature in an address': `https://store.example/a?sv=1&sig={${mixed(34, 20)}}`,
  'key in an address': `https://api.example/a?api_key={${mixed(35, 12)}}`,
  'token in an address': `https://api.example/a?access_token={${mixed(36, 12)}}&x=1`,
  'Azure connection': `DefaultEndpointsProtocol=https;AccountName=a;AccountKey={${mixed(37, 20)}}`,
  'shared access key': `Endpoint=sb://x.example/;SharedAccessKey={${mixed(38, 20)}}`,
  'password in YAML': `password: {${mixed(39, 10)}}`,
  'password in JSON': `{"password": "{${mixed(40, 10)}}"}`
    .replace('{"', '{ "')
    .replace('{ "', '"x": 1, "'),
  'password in an ini': `db_password = {${mixed(41, 10)}}`,
  'client secret': `client_secret={${mixed(42, 10)}}`,
  'API key in code': `const apiKey = '{${mixed(43, 10)}}'`,
  'exported variable': `export GH_TOKEN={${mixed(44, 12)}}`,
  'variable before a command': `PGPASSWORD={${mixed(45, 10)}} psql -c 'select 1'`,
  'flag --password': `deploy --password {${mixed(46, 10)}}`,
  'flag --token': `deploy --token={${mixed(47, 10)}}`,
  'curl -u': `curl -u bob:{${mixed(48, 10)}} https://x.example`,
  passphrase: `passphrase: {${mixed(49, 10)}}`,
  'private key in hex': `private_key={${hex(50, 20)}}`,
  'encryption key': `ENCRYPTION_KEY={${mixed(51, 12)}}`,
  netrc: `machine api.example login bob password {${mixed(52, 10)}}`,
  'mysql -p': `mysql -u root -p{${mixed(53, 10)}} app`,
  'docker login -p': `docker login -u bob -p {${mixed(54, 10)}} reg.example`,
  'sshpass -p': `sshpass -p {${mixed(55, 10)}} ssh root@host`,
  'openssl -pass': `openssl enc -aes256 -pass pass:{${mixed(56, 10)}} -in a`,
  'htpasswd -b': `htpasswd -b file bob {${mixed(57, 10)}}`,
  'net use': `net use Z: share /user:bob {${mixed(58, 10)}}`,
  'echo to sudo': `echo {${mixed(59, 10)}} | sudo -S apt-get update`,
  'redis-cli -a': `redis-cli -h cache -a {${mixed(60, 10)}} ping`,
  'mongosh -p': `mongosh -u bob -p {${mixed(61, 10)}}`,
  'unzip -P': `unzip -P {${mixed(62, 10)}} a.zip`,
  'vault login': `vault login {${mixed(63, 12)}}`,
  'smbclient -U': `smbclient //host/share -U bob%{${mixed(64, 10)}}`,
};

/** Kinds of secrets, each as it is written somewhere. */
export const SECRET_KINDS: readonly { kind: string; secret: string; text: string }[] =
  Object.entries(TEXTS).map(([kind, written]) => {
    const [, secret = ''] = /\{([^{}"]*)\}/.exec(written) ?? [];
    return { kind, secret, text: written.replace(`{${secret}}`, secret) };
  });
