import { describeSize } from '../../model/report/state-size.js';
import { formatBytes, formatCount } from '../../model/text/count.js';
import { formatTime } from '../../model/text/format-time.js';
import { shellWord } from '../../model/text/printable.js';
import { isDatabase, loadPostgres } from '../../store/open-store.js';
import type { CheckContext } from './check-context.js';
import { withoutJob } from './check-job.js';
import { type Finding, fail, ok, skipped, warn } from './finding.js';

/** With less free space, a run soon ends. */
const FREE_BYTES_MIN = 100 * 1_024 * 1_024;
const DAYS_LEFT_MIN = 30;
/** The log grows to this size if a process reads all the time, or no process ended properly. */
const LOG_BYTES_MAX = 256 * 1_024 * 1_024;

export async function checkStateFolder(context: CheckContext): Promise<Finding> {
  const { examiner, state } = context;
  if (isDatabase(state)) return checkServer(context);
  const { obstacle, isFolderThere, folder, isReadByOthers } = await examiner.lookAtPlace(state);
  if (obstacle !== null) {
    return fail(
      `The state file ${state} cannot be written: ${obstacle}.`,
      'Give the user who runs Sluice the right to write there, or name another file with --state.',
    );
  }
  if (isReadByOthers) {
    return warn(
      `Other users of this machine may read the state file ${state}, and the people in it.`,
      `Say: chmod 600 ${state}`,
    );
  }
  if (isFolderThere) return ok(`The state file ${state} can be written.`);
  return ok(`The folder of the state file ${state} will be made in ${folder}.`);
}

async function checkServer(context: CheckContext): Promise<Finding> {
  const { state } = context;
  context.isDatabaseUnusable = true;
  const { examineServer } = await loadPostgres();
  const { server, problem } = await examineServer(state);
  context.isDatabaseUnusable = false;
  if (problem !== null) return fail(problem.message, null);
  return ok(
    `The database ${state} answers (PostgreSQL ${server}), keeps what it has answered, is the server that the state was written on, and has the time of this machine.`,
  );
}

export async function checkDisk({ examiner, state }: CheckContext): Promise<Finding> {
  if (isDatabase(state)) return skipped('The state is in a database, whose server has the disk.');
  const { freeBytes, isRemote } = await examiner.lookAtPlace(state);
  const free = `${formatBytes(freeBytes)} are free for the state file`;
  if (freeBytes < FREE_BYTES_MIN) return warn(`Only ${free}.`, 'Make room before the next run.');
  if (isRemote !== true) return ok(`${free}.`);
  return warn(
    `${free}, on the disk of another machine, where its locks and its log are not reliable.`,
    'Name a file on a disk of this machine with --state or SLUICE_STATE.',
  );
}

export async function checkState(context: CheckContext): Promise<Finding> {
  const { examiner, state } = context;
  if (isDatabase(state)) return checkDatabase(context);
  const checkup = await examiner.openCheckup(state);
  if (checkup === null) {
    context.isStateAbsent = true;
    return ok(`There is no state file ${state} yet; the first run makes it.`);
  }
  context.checkup = checkup;
  const { version, versionKnown } = checkup;
  const size = await checkup.size(context.clock.now());
  const what = `${state}: ${describeSize(size)}, schema ${version}`;
  if (size.logBytes > LOG_BYTES_MAX) {
    return warn(
      `${what}; the log has grown long.`,
      'It is emptied once no process reads or writes the file: stop processes that have had it open for long.',
    );
  }
  const { freeBytes } = await examiner.lookAtPlace(state);
  const days = (freeBytes + size.unusedBytes) / (size.bytesADay ?? 0);
  if (days >= 0 && days < DAYS_LEFT_MIN) {
    return warn(
      `${what}; ${formatBytes(freeBytes)} of the disk are free, which is enough for ${formatCount(Math.floor(days), 'day')}.`,
      'Make room, write keep: 90d into the jobs, or say: sluice state prune --older-than 90d',
    );
  }
  if (version === versionKnown) return ok(`${what}.`);
  return ok(
    `${what}; the next run brings it to schema ${versionKnown}, and no older Sluice reads it then.`,
  );
}

async function checkDatabase(context: CheckContext): Promise<Finding> {
  if (context.isDatabaseUnusable === true) return skipped('It cannot be opened.');
  const { openCheckup } = await loadPostgres();
  const checkup = await openCheckup(context.state);
  context.checkup = checkup;
  const size = describeSize(await checkup.size(context.clock.now()));
  return ok(`${context.state}: ${size}, schema ${checkup.version}.`);
}

function withoutState({ isStateAbsent }: CheckContext): Finding {
  return skipped(isStateAbsent === true ? 'There is no state file.' : 'It cannot be opened.');
}

export async function checkIntegrity(context: CheckContext): Promise<Finding> {
  const { checkup, state } = context;
  if (checkup === undefined) return withoutState(context);
  if (isDatabase(state)) return skipped('Its server looks after the pages of a database.');
  const [first, ...others] = await checkup.findDamage();
  if (first === undefined) return ok(`${state} is undamaged.`);
  const more = others.length === 0 ? '' : ` (and more)`;
  return fail(
    `${state} is damaged: ${first}${more}.`,
    'Stop everything that uses it, and restore it from a backup (made by sluice state backup).',
  );
}

export async function checkLock(context: CheckContext): Promise<Finding> {
  const { checkup, settings } = context;
  if (checkup === undefined) return withoutState(context);
  const busy = await checkup.busyJobs();
  const own = busy.find(({ job }) => job === settings?.job);
  if (own !== undefined) {
    const { pid, host, since } = own.holder;
    return warn(
      `Process ${pid} on ${host} is working on ${own.job}, since ${formatTime(since)} (UTC); another one would end with exit code 75.`,
      'Wait for it, or see "sluice status --watch" for its progress.',
    );
  }
  const pausedAt = settings === undefined ? null : await checkup.pausedSince(settings.job);
  if (pausedAt !== null) {
    return warn(
      `${settings?.job} is paused since ${formatTime(pausedAt)} (UTC): a run of it sends nothing.`,
      `Go on with: sluice resume ${shellWord(settings?.job ?? '')}`,
    );
  }
  const others = busy.map(({ job }) => job).join(', ');
  if (settings === undefined && context.wish.loadJob !== undefined) return withoutJob(context);
  return ok(others === '' ? 'No process is working.' : `Free; other jobs are at work: ${others}.`);
}
