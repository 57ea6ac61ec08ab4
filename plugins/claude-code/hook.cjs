// Starts the hook of the package, for those who took this plugin from the repository. `npm run build` puts the bundled hook in its place.
const { existsSync, readFileSync, realpathSync } = require('node:fs');
const { delimiter, dirname, join } = require('node:path');

/** Where the package is, if it is installed for all: its command leads to it. */
const packages = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => {
  const command = join(folder, 'unrut');
  const global = join(folder, 'node_modules', 'unrut');
  return existsSync(command) ? [dirname(dirname(realpathSync(command))), global] : [global];
});

try {
  const hook = packages.map((folder) => join(folder, 'dist', 'hook.cjs')).find(existsSync);
  if (hook) require(hook);
  else if (JSON.parse(readFileSync(0, 'utf8')).hook_event_name === 'SessionStart')
    console.log(
      JSON.stringify({
        systemMessage:
          'Unrut is not installed, so its plugin does nothing. Install it: npm install --global unrut',
      }),
    );
} catch {
  // Claude Code goes on as if nobody had been asked.
}
