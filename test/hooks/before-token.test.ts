import { decodeJwt } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { closeCircuits } from '../../lib/features/hooks/circuits.ts'
import { findHookClaimsProblem } from '../../lib/features/oauth/hook-claim-names.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { misbehaviors, startHookFunctions } from '../support/hook-functions.ts'
import { addRelyingParty, getTokens, refresh } from '../support/oidc.ts'
import { ensureApi } from '../support/oidc-clients.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* The function `beforeToken` of a product: what it learns, what it may add, and what happens when it fails. */

const functions = closeAfterTests(await startHookFunctions())
const claims = ['plan', 'seats', 'https://films.example.com/crm', 'given_name', 'birthdate', 'regions']
const service = await useService(functions.settingsFor({ beforeToken: { claims, timeoutMs: 300 } }))

const films = 'https://films.example.com/hooks'
await ensureApi(service.services.table, films)
const scopes = ['openid', 'profile', 'attributes', 'offline_access'] as const
const party = await addRelyingParty(service, { scopes, audiences: [films] })
const ada = await addSignedIn(service)
const everything = 'openid profile attributes offline_access'

beforeEach(() => {
  closeCircuits()
  functions.questions.length = 0
})
afterEach(() => functions.answer({ claims: {} }))

const statedIn = (token: string) => {
  const payload: Readonly<Record<string, unknown>> = decodeJwt(token)
  return Object.fromEntries(claims.flatMap((name) => (name in payload ? [[name, payload[name]]] : [])))
}

describe('a function that answers', () => {
  it('adds claims to the ID token and to access tokens for an API, by one call', async () => {
    const added = { plan: 'pro', seats: 3, 'https://films.example.com/crm': 'c-7', regions: ['eu', 'us'] }
    functions.answer({ claims: { ...added, given_name: 'Ada', birthdate: '1815-12-10' } })
    const tokens = await getTokens(service, party, ada.bearer, { scope: everything, resource: films })
    const standard = { given_name: 'Ada', birthdate: '1815-12-10' }
    expect(statedIn(tokens.id_token)).toEqual({ ...added, ...standard })
    expect(statedIn(tokens.access_token)).toEqual({ ...added, ...standard })
    expect(functions.questions).toHaveLength(1)
  })

  it('adds nothing to a token for userinfo', async () => {
    functions.answer({ claims: { plan: 'pro' } })
    const tokens = await getTokens(service, party, ada.bearer, { scope: everything })
    expect(statedIn(tokens.id_token)).toEqual({ plan: 'pro' })
    expect(statedIn(tokens.access_token)).toEqual({})
  })

  it('learns about the person, the client and the API, and nothing secret', async () => {
    await getTokens(service, party, ada.bearer, { scope: everything, resource: films })
    const [question] = functions.questions
    expect(question).toEqual({
      ...{ version: 1, hook: 'beforeToken', invocation_id: expect.stringMatching(/^[\da-f-]{36}$/) },
      user: {
        ...{ id: String(ada.user.id), username: ada.user.username, name: expect.any(String) },
        ...{ email: ada.user.email, email_verified: ada.user.email !== null },
        ...{ language: ada.user.language, external_id: null },
      },
      client: { client_id: party.client.clientId, name: party.client.name },
      organization: null,
      scopes: everything.split(' '),
      audience: films,
      is_impersonated: false,
    })
    const text = JSON.stringify(question)
    for (const secret of [ada.password, ada.user.passwordHash, ada.bearer, party.secret])
      expect(text).not.toContain(secret)
  })

  it('is asked again for a refresh, and the new answer counts', async () => {
    functions.answer({ claims: { plan: 'free' } })
    const tokens = await getTokens(service, party, ada.bearer, { scope: everything })
    functions.answer({ claims: { plan: 'pro' } })
    const refreshed = await refresh(service, party, tokens.refresh_token)
    expect(statedIn(refreshed.body.id_token)).toEqual({ plan: 'pro' })
    expect(functions.questions).toHaveLength(2)
  })

  it('is not asked for a client without the scope of its claims', async () => {
    functions.answer({ claims: { plan: 'pro' } })
    const tokens = await getTokens(service, party, ada.bearer, { scope: 'openid' })
    expect(statedIn(tokens.id_token)).toEqual({})
    expect(functions.questions).toEqual([])
  })

  it('states a claim of OpenID Connect behind its scope alone', async () => {
    functions.answer({ claims: { plan: 'pro', given_name: 'Ada' } })
    const tokens = await getTokens(service, party, ada.bearer, { scope: 'openid profile' })
    expect(statedIn(tokens.id_token)).toEqual({ given_name: 'Ada' })
  })
})

const forged = [
  ...['sub', 'email', 'preferred_username', 'aud', 'acr', 'email_verified', 'phone_number_verified', 'iss'],
  ...['permissions', 'groups', 'scope', 'act', 'cnf', 'org_id', 'org_roles', 'latchkey_admin', 'exp', 'name'],
  ...['__proto__', 'constructor', 'unlisted'],
]

describe('a function that forges', () => {
  it.each(forged)('the claim %s adds nothing at all', async (name) => {
    const plain = await getTokens(service, party, ada.bearer, { scope: everything, resource: films })
    functions.behave((_, response) =>
      response.end(`{"claims": {"plan": "pro", ${JSON.stringify(name)}: "system:admin-access"}}`),
    )
    const tokens = await getTokens(service, party, ada.bearer, { scope: everything, resource: films })
    for (const kind of ['id_token', 'access_token'] as const) {
      const [before, after] = [decodeJwt(plain[kind]), decodeJwt(tokens[kind])]
      expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort())
      expect(JSON.stringify(after)).not.toContain('admin-access')
    }
  })

  it.each([
    ['a birthday that is none', { birthdate: 'soon' }],
    ['an object', { plan: { name: 'pro' } }],
    ['null', { plan: null }],
    ['a list of numbers', { plan: [1, 2] }],
    ['more than 2 KB', { plan: 'x'.repeat(2048) }],
  ])('%s adds nothing', async (_, given) => {
    functions.answer({ claims: { seats: 3, ...given } })
    const tokens = await getTokens(service, party, ada.bearer, { scope: everything })
    expect(statedIn(tokens.id_token)).toEqual({})
  })

  it('a field beside the claims adds nothing', async () => {
    functions.answer({ claims: { plan: 'pro' }, permissions: ['system:admin-access'] })
    const tokens = await getTokens(service, party, ada.bearer, { scope: everything })
    expect(statedIn(tokens.id_token)).toEqual({})
  })
})

describe.each(Object.entries(misbehaviors))('a function that %s', (_, respond) => {
  it('leaves tokens without its claims', async () => {
    functions.behave(respond)
    const tokens = await getTokens(service, party, ada.bearer, { scope: everything })
    expect(statedIn(tokens.id_token)).toEqual({})
    expect(functions.questions).toHaveLength(1)
  })
})

it('records each failure', async () => {
  const person = await addSignedIn(service)
  functions.answer('garbage')
  await getTokens(service, party, person.bearer, { scope: everything })
  const events = (await readAuditItems(service.services.table)).filter(({ user }) => user === person.user.id)
  expect(events).toContainEqual(
    expect.objectContaining({ event: 'hook.failed', target: 'beforeToken', outcome: 'answer' }),
  )
})

const people = await Promise.all(Array.from({ length: 7 }, () => addSignedIn(service)))

describe('the circuit', () => {
  const sign = async (person: { readonly bearer: string }) =>
    getTokens(service, party, person.bearer, { scope: everything })

  it('opens after five failures for five people, and not for one', async () => {
    const [first, ...others] = people
    if (!first) throw new Error('no person')
    functions.answer({ claims: {} })
    await sign(first)
    functions.behave(misbehaviors['was deleted'] ?? (() => {}))
    for (let count = 0; count < 8; count++) await sign(first)
    for (const person of others.slice(0, 4)) await sign(person)
    expect(functions.questions).toHaveLength(13)
    functions.answer({ claims: { plan: 'pro' } })
    for (const person of others) expect(statedIn((await sign(person)).id_token)).toEqual({})
    expect(functions.questions).toHaveLength(13)
  })

  it('does not open for errors of the function, which one input can cause', async () => {
    functions.answer({ claims: {} })
    for (const person of people.slice(0, 1)) await sign(person)
    functions.behave(misbehaviors['throws'] ?? (() => {}))
    for (const person of people) await sign(person)
    functions.answer({ claims: { plan: 'pro' } })
    for (const person of people) expect(statedIn((await sign(person)).id_token)).toEqual({ plan: 'pro' })
  })
})

it.each(forged.filter((name) => name !== 'unlisted'))(
  'the stack refuses %s in the list of claims',
  (name) => {
    const problem = findHookClaimsProblem(['plan', name])
    expect(problem).toMatch(/^has ".*", which must/)
  },
)

/** As many as a busy service has in some minutes: `HOOK_SIGN_INS=2000 npx vitest run --project unit test/hooks/before-token.test.ts`. */
const dayCount = Number(process.env['HOOK_SIGN_INS'] ?? 100)

it('the tokens of a normal day, while the function misbehaves in turn, have its claims or none', {
  timeout: 60_000 + dayCount * 200,
}, async () => {
  const responders = Object.values(misbehaviors).filter((_, at) => at !== 0)
  functions.behave((question, response) => {
    const at = functions.questions.length % (responders.length + 1)
    const answer = () => response.end(JSON.stringify({ claims: { plan: 'pro' } }))
    return (responders[at] ?? answer)(question, response)
  })
  const seen = new Set<string>()
  for (let at = 0; at < dayCount; at += 10) {
    closeCircuits()
    const people = await Promise.all(Array.from({ length: 10 }, () => addSignedIn(service)))
    const all = await Promise.all(
      people.map(({ bearer }) => getTokens(service, party, bearer, { scope: everything, resource: films })),
    )
    for (const { id_token: id, access_token: access } of all)
      seen.add(JSON.stringify([statedIn(id), statedIn(access)]))
  }
  expect([...seen].sort()).toEqual(['[{"plan":"pro"},{"plan":"pro"}]', '[{},{}]'])
})
