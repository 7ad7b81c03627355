// The public API: run a job, look at a state file, talk to a platform, or start the sandbox from code. Nothing
// here prints, exits the process, handles signals or looks at a variable on its own. docs/library.md tells of it.
export type { RunReport } from './app/conclude-run.js';
export { describeJob } from './app/describe-job.js';
export { type Credentials, type Environment, readEnvironment } from './app/environment.js';
export { type ExplainedLine, explainLine } from './app/explain-line.js';
export { type EventTable, exportEvents } from './app/export-events.js';
export { type ExportReport, exportRun } from './app/export-run.js';
export { type ForgetWish, forgetPerson } from './app/forget-person.js';
export { JOB_DEFAULTS, type JobSettings } from './app/job-settings.js';
export { type Listening, type ListenOptions, listen } from './app/listen.js';
export { lookBeside, type SeenBeside } from './app/look-beside.js';
export { type PlanOptions, planJob } from './app/plan-job.js';
export { Platform, type PlatformOptions } from './app/platform.js';
export { type PruneWish, pruneState } from './app/prune-state.js';
export { type Row, readRows } from './app/read-rows.js';
export { type ReplayReport, replayJob } from './app/replay-job.js';
export { retryRun } from './app/retry-run.js';
export { runJob } from './app/run-job.js';
export type { RunOptions } from './app/run-options.js';
export { systemClock } from './app/system-clock.js';
export { type JobFile, jobJsonSchema } from './config/job-schema.js';
export { loadDialect } from './config/load-dialect.js';
export { loadJob } from './config/load-job.js';
export type { LeadAnswer, LeadStatus } from './domain/answer.js';
export type { Ask, EnrichmentRequest, InputName } from './domain/ask.js';
export type { ContactList, ListAddition, ListMember } from './domain/contact-list.js';
export { type Dialect, NEUTRAL_DIALECT } from './domain/dialect.js';
export type { Draft } from './domain/draft.js';
export { type ErrorCode, SluiceError } from './domain/errors.js';
export { EVENT_CATALOGUE, type PlatformEvent } from './domain/event-catalogue.js';
export type { Forecast } from './domain/forecast.js';
export type { Hook, HookListing, HookWish } from './domain/hook.js';
export type { PeopleSchema } from './domain/people-schema.js';
export type { EducationEntry, ExperienceEntry, PersonRecord } from './domain/person-record.js';
export type { Clock } from './domain/ports/clock.js';
export type { Disturbance, EventFilter, StoredEvent } from './domain/ports/events.js';
export type { ForgetReport, PruneReport } from './domain/ports/keeping.js';
export type {
  BulkAnswer,
  BulkItem,
  CreateListAnswer,
  Odd,
  Permit,
  ReadAnswer,
  SubmitAnswer,
} from './domain/ports/platform.js';
export type { Store } from './domain/ports/store.js';
export type { Profile, Result } from './domain/result.js';
export type { Run } from './domain/run.js';
export type { RunEvent, RunObserver, RunResult, Watch } from './domain/run-event.js';
export type { RunTally } from './domain/tally.js';
export { followEvents } from './pipeline/follow-events.js';
export { openSandbox, type Sandbox, type SandboxOptions } from './sandbox/open-sandbox.js';
export { openSqliteStore as openStore } from './store/open-sqlite-store.js';
