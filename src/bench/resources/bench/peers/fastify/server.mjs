// The docket list as a Fastify service with postgres.js would have it, in several processes: a token is verified once and
// then remembered, the participant is checked at every request, the answer is serialized by a schema.
import cluster from 'node:cluster';
import Fastify from 'fastify';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import postgres from 'postgres';

const { PEER_PORT, PEER_PROCESSES, PEER_DATABASE, PEER_CONNECTIONS, PEER_KEYS, PEER_ISSUER, PEER_AUDIENCE } = process.env;
const TOKENS_MAX = 50_000;

const text = { type: 'string' };
const entry = {
  type: 'object',
  properties: {
    entryID: text, enteredAt: text, userID: text, organizationID: { type: ['string', 'null'] }, phaseID: text, documentID: text,
    partyID: text, filingID: text, title: text, supersedes: text,
  },
};
const schema = {
  body: { type: 'object', required: ['caseID'], properties: { caseID: { type: 'string', format: 'uuid' } } },
  response: { 200: { type: 'object', properties: { entries: { type: 'array', items: entry } } } },
};

function serve() {
  const sql = postgres(PEER_DATABASE, { max: Number(PEER_CONNECTIONS), onnotice: () => {} });
  const keys = createRemoteJWKSet(new URL(PEER_KEYS));
  const verified = new Map();

  async function caller(header) {
    const token = header?.startsWith('Bearer ') ? header.slice('Bearer '.length) : '';
    let claims = verified.get(token);
    if (claims === undefined) {
      ({ payload: claims } = await jwtVerify(token, keys, { issuer: PEER_ISSUER, audience: PEER_AUDIENCE, algorithms: ['ES256'] }));
      if (verified.size < TOKENS_MAX) verified.set(token, claims);
    }
    if (claims.exp * 1000 <= Date.now()) throw new Error('expired');
    return claims.sub;
  }

  const app = Fastify();
  app.post('/api/docket/entries/list', { schema }, async (request, reply) => {
    let user;
    try {
      user = await caller(request.headers.authorization);
    } catch (refused) {
      return reply.code(401).send({ message: 'The request is missing a valid access token.' });
    }
    const { caseID } = request.body;
    const [[access], rows] = await Promise.all([
      sql`select p.user_id is not null as participant from cases_api.cases c
          left join cases_api.participants p on p.case_id = c.case_id and p.user_id = ${user} where c.case_id = ${caseID}`,
      sql`select entry_id, entered_at, user_id, organization_id, phase_id, document_id, party_id, filing_id, title, supersedes
          from mainapi.entries where case_id = ${caseID} order by number`,
    ]);
    if (access === undefined) return reply.code(404).send({ message: 'The specified case could not be found.' });
    if (!access.participant) return reply.code(403).send({ message: 'Not a participant in this case.' });
    return {
      entries: rows.map((row) => ({
        entryID: row.entry_id, enteredAt: row.entered_at.toISOString(), userID: row.user_id, organizationID: row.organization_id,
        phaseID: row.phase_id, documentID: row.document_id, partyID: row.party_id, filingID: row.filing_id, title: row.title,
        supersedes: row.supersedes ?? undefined,
      })),
    };
  });
  app.listen({ port: Number(PEER_PORT), host: '127.0.0.1' });
}

if (cluster.isPrimary) {
  for (let i = 0; i < Number(PEER_PROCESSES); i++) cluster.fork();
  // A process that dies must not go unnoticed: the other would be measured alone.
  cluster.on('exit', () => process.exit(1));
} else {
  serve();
}
