// The public API: run a job, look at a state file, talk to a platform, or start the sandbox from code.
// Nothing here prints, exits the process or handles signals.
export type { RunReport } from './app/conclude-run.js';
export { type Credentials, type Environment, readEnvironment } from './app/environment.js';
export { type ExportReport, exportRun } from './app/export-run.js';
export { JOB_DEFAULTS, type JobSettings, resolveJobSettings } from './app/job-settings.js';
export { type Listening, type ListenOptions, listen } from './app/listen.js';
export { type PlanOptions, planJob } from './app/plan-job.js';
export { type ReplayReport, replayJob } from './app/replay-job.js';
export { retryRun } from './app/retry-run.js';
export { type RunOptions, runJob } from './app/run-job.js';
export { type JobFile, jobJsonSchema } from './config/job-schema.js';
export { loadDialect } from './config/load-dialect.js';
export { loadJob } from './config/load-job.js';
export type { LeadAnswer, LeadStatus } from './domain/answer.js';
export { type Dialect, NEUTRAL_DIALECT } from './domain/dialect.js';
export { type ErrorCode, SluiceError } from './domain/errors.js';
export type { Forecast } from './domain/forecast.js';
export type { Platform } from './domain/ports/platform.js';
export type { Store } from './domain/ports/store.js';
export type { Profile, Result } from './domain/result.js';
export type { Run } from './domain/run.js';
export type { RunEvent, RunObserver } from './domain/run-event.js';
export type { RunTally } from './domain/tally.js';
export { type HttpPlatformOptions, openHttpPlatform } from './platform/http-platform.js';
export { openSandbox, type Sandbox, type SandboxOptions } from './sandbox/open-sandbox.js';
export { openSqliteStore } from './store/open-sqlite-store.js';
