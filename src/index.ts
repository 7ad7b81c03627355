// The public API: run a job, look at a state file, talk to a platform, or start the sandbox from code. Nothing
// here prints, exits the process, handles signals or reads a variable unless it is asked to. docs/library.md describes it.

export {
  addHook,
  type HookOptions,
  type HookOrder,
  type RotateOptions,
  type Rotation,
  rotateHook,
} from './app/listen/hooks.js';
export { type Listening, type ListenOptions, listen } from './app/listen/listen.js';
export { type ReplayOptions, type ReplayReport, replayJob } from './app/listen/replay-job.js';
export { type JobForecast, type PlanOptions, planJob } from './app/plan/plan-job.js';
export { Platform, type PlatformOptions } from './app/platform/platform-for-programs.js';
export {
  type CompareReport,
  type CompareWish,
  compareRuns,
  type WrittenChanges,
} from './app/report/compare-runs.js';
export type { GatherOptions } from './app/report/gather-figures.js';
export { type ReportWish, reportRun } from './app/report/write-report.js';
export { type ExplainedLine, type ExplainWish, explainLine } from './app/results/explain-line.js';
export {
  type EventReport,
  type EventTable,
  exportEvents,
  followEvents,
} from './app/results/export-events.js';
export {
  type ExportOptions,
  type ExportReport,
  type ExportWish,
  exportRun,
} from './app/results/export-run.js';
export { readRows } from './app/results/read-rows.js';
export { lookBeside } from './app/results/see-run.js';
export { runJob } from './app/run/run-job.js';
export type { OnRow, RowPlace, RunOptions, RunReport } from './app/run/run-options.js';
export { describeJob, type StatedJob } from './app/settings/describe-job.js';
export { type Environment, readEnvironment } from './app/settings/environment.js';
export type { JobSettings } from './app/settings/job-settings.js';
export { cancelRun, type RetryWish, retryRun } from './app/state/change-run.js';
export { type ForgetWish, forgetPerson } from './app/state/forget-person.js';
export { type SeenCaps, type StatedCapWish, seeCaps, setCaps } from './app/state/keep-caps.js';
export { pauseJob, resumeJob } from './app/state/pause-job.js';
export { type PruneWish, pruneState } from './app/state/prune-state.js';
export { type SuppressWish, suppress } from './app/state/suppress-people.js';
export { systemClock } from './app/system-clock.js';
export { JOB_DEFAULTS, type JobFile, jobJsonSchema } from './config/job-schema.js';
export { loadDialect } from './config/load-dialect.js';
export { loadJob } from './config/load-job.js';
export { type Dialect, NEUTRAL_DIALECT } from './dialect/dialect.js';
export type { LeadsInMemory } from './input/leads-as-lines.js';
export type { AnswerSource, LeadAnswer, LeadStatus } from './model/answer.js';
export type { Ask, EnrichmentRequest, InputName } from './model/ask.js';
export type { KnownColumns, Row } from './model/columns/row.js';
export { type ErrorCode, SluiceError } from './model/errors.js';
export { EVENT_CATALOGUE, type PlatformEvent } from './model/events/event-catalogue.js';
export type { ComparedRun, CompareFigures } from './model/report/compare-figures.js';
export type { RunFigures } from './model/report/run-figures.js';
export { boundOf } from './model/report/series.js';
export type { ContactList, ListAddition, ListMember } from './model/resources/contact-list.js';
export type {
  EducationEntry,
  ExperienceEntry,
  PersonRecord,
} from './model/resources/person-record.js';
export type {
  Draft,
  Hook,
  HookListing,
  HookWish,
  PeopleSchema,
} from './model/resources/resources.js';
export type { Profile, Result } from './model/result.js';
export type { Run } from './model/run.js';
export type { StatedRate } from './model/schedule/rate.js';
export type { Forecast, RunTally } from './model/tally.js';
export type { RunResult } from './model/telemetry/event-fields.js';
export type { RunEvent, RunObserver, Watch } from './model/telemetry/observe.js';
export type { CsvOptions } from './output/csv-format.js';
export type { CarriedRequest, Carrying, SendRequest } from './platform/wire/carry.js';
export type { Credentials } from './platform/wire/credentials.js';
export type { Clock } from './ports/clock.js';
export type {
  BulkAnswer,
  BulkItem,
  CreateListAnswer,
  Odd,
  Permit,
  ReadAnswer,
  SubmitAnswer,
} from './ports/platform.js';
export type { RefusedDeliveries } from './ports/store/deliveries.js';
export type { Disturbance, EventFilter, StoredEvent } from './ports/store/events.js';
export type { ForgetReport, PruneReport, StateSize } from './ports/store/maintenance.js';
export type { RunSeries } from './ports/store/runs.js';
export type { Store } from './ports/store/store.js';
export { openSandbox, type Sandbox, type SandboxOptions } from './sandbox/open-sandbox.js';
export { openStore } from './store/open-store.js';
