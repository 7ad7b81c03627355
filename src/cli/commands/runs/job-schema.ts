// sluice job-schema: the JSON Schema of a job file, for editors.
import { jobJsonSchema } from '../../../config/job-schema.js';
import { command } from '../../command.js';

export const jobSchemaCommand = command({
  builder: (yargs) => yargs,
  handler: () => console.log(JSON.stringify(jobJsonSchema(), null, 2)),
});
