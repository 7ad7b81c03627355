// sluice job-schema: the JSON Schema of a job file, for editors.
import { command } from '../../command.js';

export const jobSchemaCommand = command<object>({
  command: 'job-schema',
  describe: 'Print the JSON Schema of a job file',
  builder: (yargs) => yargs,
  handler: async () => {
    const { jobJsonSchema } = await import('../../../config/job-schema.js');
    console.log(JSON.stringify(jobJsonSchema(), null, 2));
  },
});
