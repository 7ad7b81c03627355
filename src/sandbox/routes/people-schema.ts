// Answers with the people schema (docs/platform-api.md, GET /schema/people).
import type { FastifyInstance } from 'fastify';
import { SAMPLE_PERSON } from '../answers/sample-person.js';

const PEOPLE_SCHEMA = {
  schema: SAMPLE_PERSON,
  version: { since: 20_240_101, type: 'date' },
  properties: Object.keys(SAMPLE_PERSON),
};

/** 200 with one sample record, its version and its field names in order. */
export function registerPeopleSchema(app: FastifyInstance): void {
  app.get('/schema/people', (_request, reply) => reply.send(PEOPLE_SCHEMA));
}
