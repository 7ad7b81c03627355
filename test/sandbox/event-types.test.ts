import { expect, it } from 'vitest';
import { isEventType } from '../../src/sandbox/event-types.js';

it.each([
  'contacted',
  'emailsFailed',
  'callTranscriptDone',
  'enrichmentDone',
  'enrichmentError',
  'annotated',
])('knows %s', (type) => expect(isEventType(type)).toBe(true));

it.each(['skipped', 'emailsSendFailed', 'opportunitiesDone', '', 'EnrichmentDone', 'constructor'])(
  'does not know %j',
  (type) => expect(isEventType(type)).toBe(false),
);
