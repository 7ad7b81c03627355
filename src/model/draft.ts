// A draft of an inbox conversation (docs/platform-api.md, Inbox draft). The items of cc and attachments, whose
// form is not known, are kept as they came.
import type { JsonValue } from './text/json.js';

export interface Draft {
  /** `drf_…` */
  readonly id: string;
  readonly channel: string | undefined;
  readonly subject: string | undefined;
  readonly cc: readonly JsonValue[];
  /** HTML. */
  readonly content: string | undefined;
  readonly attachments: readonly JsonValue[];
  readonly source: string | undefined;
  /** ISO 8601. */
  readonly createdAt: string | undefined;
  readonly updatedAt: string | undefined;
}
