import * as z from 'zod';
import { parseUrl } from '../../model/text/address.js';

function isWebAddress(text: string): boolean {
  return ['http:', 'https:'].includes(parseUrl(text)?.protocol ?? '');
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
      .enum(['always', 'trouble'])
      .optional()
      .describe('After each run, or only where the exit code is not 0; default: always'),
  })
  .refine(
    ({ url, command }) => url !== undefined || command !== undefined,
    'nothing says where to send it: give url, command, or both',
  );
