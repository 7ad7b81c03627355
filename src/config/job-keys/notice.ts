import * as z from 'zod';
import { CONDITION_FORM, parseCondition } from '../../model/report/fail-on.js';
import { parseUrl } from '../../model/text/address.js';

function isWebAddress(text: string): boolean {
  return ['http:', 'https:'].includes(parseUrl(text)?.protocol ?? '');
}

export const conditions = z
  .array(
    z.string(CONDITION_FORM).refine((text) => parseCondition(text) !== undefined, CONDITION_FORM),
  )
  .readonly();

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
      .union([z.enum(['always', 'trouble']), conditions])
      .optional()
      .describe(
        'After each run, only where the exit code is not 0, or on conditions as fail-on has them; default: always',
      ),
  })
  .refine(
    ({ url, command }) => url !== undefined || command !== undefined,
    'nothing says where to send it: give url, command, or both',
  );
