import { libraryProblem } from '../../store/sqlite/database/failures.js';
import { sqliteVersion } from '../../store/sqlite/state-checkup.js';
import { packageJson } from '../package-json.js';
import { ENV_FILE } from '../settings/env-file.js';
import type { CheckContext } from './check-context.js';
import { type Finding, fail, ok, warn } from './finding.js';

export function checkNode(): Finding {
  return judgeNode(process.versions.node, packageJson().engines.node);
}

/** `needed` is written like `>=20.19`. */
export function judgeNode(version: string, needed: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [majorMin = 0, minorMin = 0] = needed.replace('>=', '').split('.').map(Number);
  const isEnough = major > majorMin || (major === majorMin && minor >= minorMin);
  const says = `Node ${version}; ${needed.replace('>=', '')} or newer is needed.`;
  return isEnough ? ok(says) : fail(says, 'Install a newer Node.');
}

export function checkSqlite(): Finding {
  try {
    return ok(`SQLite ${sqliteVersion()} can be loaded.`);
  } catch (error) {
    const problem = libraryProblem(error);
    if (problem === undefined) throw error;
    return fail(problem.says, problem.advice);
  }
}

export function checkEnvFile({ wish }: CheckContext): Finding {
  const file = wish.openEnvFile();
  if (file === undefined) return ok(`There is no ${ENV_FILE} in this folder, and none is needed.`);
  const { taken, left, isReadByOthers } = file;
  const says = [
    `${ENV_FILE} sets ${taken.length === 0 ? 'nothing' : taken.join(', ')}.`,
    ...(left.length > 0 ? [`Set already, and so left alone: ${left.join(', ')}.`] : []),
    ...(isReadByOthers ? ['Other users of this machine may read it.'] : []),
  ].join(' ');
  return isReadByOthers ? warn(says, `Say: chmod 600 ${ENV_FILE}`) : ok(says);
}
