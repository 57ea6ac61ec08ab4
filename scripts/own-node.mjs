/**
 * Runs after `npm install` in a clone, and says in one line what npm's own warnings, one per
 * package, would say: the machine's Node is too old. Plain JavaScript, because that Node may have to
 * read it.
 */
const OLDEST = [22, 13];

const isOld = (version) => {
  const [major, minor] = version.split('.').map(Number);
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
};

const [, machine = '22.13'] = /\bnode\/v(\S+)/.exec(process.env.npm_config_user_agent ?? '') ?? [];
const own = process.version.slice(1);
if (isOld(own))
  console.log(
    `Unrut needs Node ${OLDEST.join('.')} or later; got ${own}. Install it and try again.`,
  );
else if (isOld(machine))
  console.log(
    `Node ${machine} is older than Unrut needs (${OLDEST.join('.')}). It works here all the same: npm scripts, npx vitest and npx node use the Node ${own} that was installed with the packages.`,
  );
