// The control route that shows what every sandbox begins with, so that a person can try it. No part of the platform.
import type { FastifyInstance } from 'fastify';
import { DRAFTS } from '../inbox/seeded-drafts.js';
import { CAMPAIGNS, CONTACTS, DYNAMIC_LIST, TEAM, USERS } from '../seeds.js';

const SEEDS = {
  team: TEAM,
  users: USERS.map((user) => ({ ...user, isInTeam: user.teamId === TEAM.id })),
  campaigns: CAMPAIGNS,
  contacts: CONTACTS,
  drafts: DRAFTS.map(({ id, contactId, ownerId, draft }) => ({
    id,
    contactId,
    ownerId,
    subject: draft.subject,
    /** To be asked as it is, with credentials. */
    path: `/inbox/${contactId}/drafts/${id}?draftOwner=${ownerId}`,
  })),
  lists: [{ ...DYNAMIC_LIST, kind: 'dynamic' }],
};

/** `GET /sandbox/seeds`: 200 with `{team, users, campaigns, contacts, drafts, lists}`, the same in every sandbox. */
export function registerSeeds(app: FastifyInstance): void {
  app.get('/sandbox/seeds', (_request, reply) => reply.send(SEEDS));
}
