import * as z from 'zod';
import { CONDITION_FORM, parseCondition, toConditions } from '../../model/report/fail-on.js';
import { parseUrl } from '../../model/text/address.js';

function isWebAddress(text: string): boolean {
  return ['http:', 'https:'].includes(parseUrl(text)?.protocol ?? '');
}

export const conditions = z
  .array(
    z.string(CONDITION_FORM).refine((text) => parseCondition(text) !== undefined, CONDITION_FORM),
  )
  .readonly();

/** What the table of changes has to hold for a notice. */
const CHANGE_WORDS = ['changes', 'moved'] as const;
type ChangeWord = (typeof CHANGE_WORDS)[number];

function isChangeWord(text: string): text is ChangeWord {
  return CHANGE_WORDS.some((word) => word === text);
}

const ON = `${CONDITION_FORM}, changes or moved`;
const reasons = z
  .array(
    z.string(ON).refine((text) => isChangeWord(text) || parseCondition(text) !== undefined, ON),
  )
  .readonly();

export function toReasons(texts: readonly string[]) {
  return { conditions: toConditions(texts), changes: texts.filter(isChangeWord) };
}

export const notice = z
  .strictObject({
    url: z
      .string()
      .refine(isWebAddress, 'an address begins with http:// or https://')
      .optional()
      .describe('The address to which the summary is posted, as JSON'),
    command: z
      .array(z.string().min(1), 'a command is a list: [./tell-me.sh, --short]')
      .min(1, 'a command is a list that begins with a program')
      .readonly()
      .optional()
      .describe('Program and arguments, without a shell; the summary is on its standard input'),
    on: z
      .union([z.enum(['always', 'trouble']), reasons])
      .optional()
      .describe(
        'After each run, only where the exit code is not 0, or on conditions as fail-on has them, on changes, or where somebody has moved; default: always',
      ),
  })
  .refine(
    ({ url, command }) => url !== undefined || command !== undefined,
    'nothing says where to send it: give url, command, or both',
  );
