// Loaded before the command line (NODE_OPTIONS=--import): SQLite's binding fails as under a Node that it was not
// built for, or as ANOTHER_TROUBLE says; with NO_SQLITE its package is not there.
import Module from 'node:module';

const load = Reflect.get(Module.prototype, 'require');
Module.prototype.require = function require(name) {
  if (!process.env['NO_SQLITE'] || !name.startsWith('better-sqlite3')) return load.call(this, name);
  throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' });
};
const dlopen = process.dlopen.bind(process);
process.dlopen = (module, file, ...flags) => {
  if (!file.endsWith('better_sqlite3.node')) return dlopen(module, file, ...flags);
  const mismatch = `The module '${file}'
was compiled against a different Node.js version using
NODE_MODULE_VERSION 93. This version of Node.js requires
NODE_MODULE_VERSION ${process.versions.modules}. Please try re-compiling or re-installing
the module (for instance, using \`npm rebuild\` or \`npm install\`).`;
  const message = process.env['ANOTHER_TROUBLE'] ?? mismatch;
  throw Object.assign(new Error(message), { code: 'ERR_DLOPEN_FAILED' });
};
