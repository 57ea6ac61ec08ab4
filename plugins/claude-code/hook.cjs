// Starts the hook of the package `unrut` that is installed for all. Agents copy this folder, so the package is looked for.
const { existsSync, readFileSync, realpathSync } = require('node:fs');
const { delimiter, dirname, join } = require('node:path');

/** The folders in which the package may be: where its command leads to, and beside this Node. */
function* packages() {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const command = join(folder, 'unrut');
    if (existsSync(command)) yield dirname(dirname(realpathSync(command)));
    yield join(folder, 'node_modules', 'unrut');
  }
  yield join(dirname(process.execPath), '..', 'lib', 'node_modules', 'unrut');
}

function findHook() {
  for (const folder of packages()) {
    const hook = join(folder, 'dist', 'hook.cjs');
    if (existsSync(hook)) return hook;
  }
  return undefined;
}

try {
  const hook = findHook();
  if (hook) require(hook);
  else if (JSON.parse(readFileSync(0, 'utf8')).hook_event_name === 'SessionStart')
    console.log(
      JSON.stringify({
        systemMessage:
          'Unrut is not installed, so its plugin does nothing. Install it: npm install --global unrut',
      }),
    );
} catch {
  // The agent goes on as if nobody had been asked.
}
