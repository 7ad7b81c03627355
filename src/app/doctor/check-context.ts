// What the checks share: each adds what it has found for the checks after it.
import { randomBytes } from 'node:crypto';
import type { Dialect } from '../../dialect/dialect.js';
import type { PlatformProbe } from '../../model/resources/check.js';
import type { Rate } from '../../model/schedule/rate.js';
import type { Clock } from '../../ports/clock.js';
import type { StateCheckup, StateExaminer } from '../../ports/store/state-checkup.js';
import type { EnvFile } from '../settings/env-file.js';
import type { Environment } from '../settings/environment.js';
import type { JobSettings } from '../settings/job-settings.js';

/** What a command line says; the job and the environment fill in the rest. */
export interface DoctorWish {
  /** Reads the job, once `.env` is read; undefined if no job is named. */
  readonly loadJob: (() => Promise<JobSettings>) | undefined;
  readonly url: string | undefined;
  readonly dialect: string | undefined;
  readonly account: string | undefined;
  readonly rate: Rate | undefined;
  readonly state: string | undefined;
}

/** Where the settings of the command come from. */
export interface Settings {
  /** Reads `.env`; undefined where there is none. */
  readonly openEnvFile: () => EnvFile | undefined;
  /** Includes `.env` once it is read. */
  readonly environment: () => Environment;
}

export interface CheckContext extends Pick<Settings, 'openEnvFile'> {
  readonly wish: DoctorWish;
  /** With the variables of `.env`, once that was read. */
  readonly environment: Environment;
  readonly examiner: StateExaminer;
  readonly clock: Clock;
  /** The job; undefined if none is named, or it cannot be read. */
  settings?: JobSettings;
  dialect?: Dialect;
  /** Path of the state file. */
  readonly state: string;
  checkup?: StateCheckup;
  /** It was looked at, and could not be opened: what was said of it is not said again. */
  isDatabaseUnusable?: boolean;
  /** There is no state file, so no process has sent requests before. */
  isStateAbsent?: boolean;
  /** The job's input files. */
  sources?: readonly string[];
  hasCredentials?: boolean;
  probe?: PlatformProbe;
  /** Until when the requests of these checks count against the platform's limit. */
  countsUntilMs?: number;
}

/** The base address of the platform; undefined if nothing names it. */
export function urlOf({ settings, wish, environment }: CheckContext): string | undefined {
  return settings?.url ?? wish.url ?? environment.url;
}

const KEY_BYTES = 32;

/** The signing key of the state file, or another one while there is none. */
export async function signingKeyOf({ checkup }: CheckContext): Promise<Uint8Array> {
  return (await checkup?.signingKey()) ?? randomBytes(KEY_BYTES);
}

/** What the account that pays is called; undefined if nothing names it. */
export function accountNameOf({ settings, wish, environment }: CheckContext): string | undefined {
  return settings?.account ?? wish.account ?? environment.account;
}

/** The rate to keep to; undefined if neither a job nor a dialect is known. */
export function rateOf({ settings, wish, dialect }: CheckContext): Rate | undefined {
  return settings?.rate ?? wish.rate ?? dialect?.limits.rate;
}
