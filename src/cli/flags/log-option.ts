// The flag that asks for a log; what it does is in with-log.ts.
import { LOG_LEVELS } from '../../model/telemetry/fact.js';
import { TEXT } from '../command.js';

export const LOG_OPTION = {
  'log-level': {
    ...TEXT,
    describe: `Log to standard error as JSON: ${LOG_LEVELS.join(', ')} or silent (default: SLUICE_LOG_LEVEL, or silent)`,
  },
} as const;

export interface LogArguments {
  'log-level'?: string | undefined;
}
