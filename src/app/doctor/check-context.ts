// The findings that the checks share: each adds its own for the checks after it.
import { randomBytes } from 'node:crypto';
import type { Dialect } from '../../dialect/dialect.js';
import type { PlatformProbe } from '../../model/resources/check.js';
import type { Rate } from '../../model/schedule/rate.js';
import type { Clock } from '../../ports/clock.js';
import type { StateCheckup, StateExaminer } from '../../ports/store/state-checkup.js';
import type { EnvironmentOf, Step } from '../run/waterfall/steps.js';
import type { EnvFile } from '../settings/env-file.js';
import type { Environment } from '../settings/environment.js';
import type { JobSettings } from '../settings/job-settings.js';

export interface DoctorWish {
  /** Reads the job, once `.env` is read; undefined if no job is named. */
  readonly loadJob: (() => Promise<JobSettings>) | undefined;
  readonly url: string | undefined;
  readonly dialect: string | undefined;
  readonly account: string | undefined;
  readonly rate: Rate | undefined;
  readonly state: string | undefined;
  /** The credentials of the accounts that steps of a waterfall name. Default: none is known. */
  readonly environmentOf?: ((job: JobSettings) => Promise<EnvironmentOf>) | undefined;
  /** Reads `.env`; undefined if there is none. */
  readonly openEnvFile: () => EnvFile | undefined;
  /** Includes `.env` once it is read. */
  readonly environment: () => Environment;
}

export interface CheckContext {
  readonly wish: DoctorWish;
  readonly environment: Environment;
  readonly examiner: StateExaminer;
  readonly clock: Clock;
  /** The job; undefined if none is named, or it cannot be read. */
  settings?: JobSettings;
  dialect?: Dialect;
  /** The steps of a job with a waterfall; each is a platform of its own. */
  steps?: readonly Step[];
  readonly state: string;
  checkup?: StateCheckup;
  /** Whether it was looked at and could not be opened: that is not reported again. */
  isDatabaseUnusable?: boolean;
  /** Whether there is no state file, so that no process has sent requests before. */
  isStateAbsent?: boolean;
  sources?: readonly string[];
  hasCredentials?: boolean;
  probe?: PlatformProbe;
  /** The time until which the requests of these checks count against the platform's limit. */
  countsUntilMs?: number;
}

export function urlOf({ settings, wish, environment }: CheckContext): string | undefined {
  return settings?.url ?? wish.url ?? environment.url;
}

const KEY_BYTES = 32;

/** The signing key of the state file, or another one while there is none. */
export async function signingKeyOf({ checkup }: CheckContext): Promise<Uint8Array> {
  return (await checkup?.signingKey()) ?? randomBytes(KEY_BYTES);
}

export function accountNameOf({ settings, wish, environment }: CheckContext): string | undefined {
  return settings?.account ?? wish.account ?? environment.account;
}

/** The rate to keep to; undefined if neither a job nor a dialect is known. */
export function rateOf({ settings, wish, dialect }: CheckContext): Rate | undefined {
  return wish.rate ?? settings?.rate ?? dialect?.limits.rate;
}
