// The options of commands that ask the platform one thing.
import type { PlatformWish } from '../../app/platform/ask-platform.js';
import { STATE_OPTION, TEXT } from '../command.js';

export const PLATFORM_OPTIONS = {
  url: { ...TEXT, describe: 'Base address of the platform (default: SLUICE_URL)' },
  dialect: { ...TEXT, describe: "File that describes the platform's wire format" },
  rate: {
    ...TEXT,
    describe: "Requests in any window, like 20/2s, or off (default: the dialect's)",
  },
  ...STATE_OPTION,
} as const;

/** What those options parse to. */
export interface PlatformArguments extends PlatformWish {
  json: boolean;
}
