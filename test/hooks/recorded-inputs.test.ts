import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { closeCircuits } from '../../lib/features/hooks/circuits.ts'
import { findProblems } from '../../lib/hooks/find-problems.ts'
import type { HookName } from '../../lib/hooks/generated/hook-types.ts'
import { inputSchemas } from '../../lib/hooks/generated/schemas.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import { TestBrowser } from '../support/browser.ts'
import type { JsonValue } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startHookFunctions } from '../support/hook-functions.ts'
import { makeIdp } from '../support/idp.ts'
import { readMailedToken } from '../support/mailed-page.ts'
import { addRelyingParty, getTokens, refresh } from '../support/oidc.ts'
import { ensureApi } from '../support/oidc-clients.ts'
import { startUpstream } from '../support/oidc-upstream.ts'
import { addOrganization, inviteMember, signUpInvited } from '../support/organization-invitations.ts'
import { addSignedIn, trySignIn } from '../support/people.ts'
import { addPublicConnection, newGoogleAccount } from '../support/public-upstream.ts'
import { addProvider, signInByConnection } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'
import { ways } from '../support/ways-to-sign-in.ts'

/*
 * The inputs in `@latchkey/hooks` are those that the service sends. After a change of an input, run this file with `-u`, which records
 * them again.
 */

const functions = closeAfterTests(await startHookFunctions())
const service = await useService({
  ...functions.settingsFor({ beforeSignUp: {}, afterSignIn: {}, beforeToken: { claims: ['plan'] } }),
  ALLOW_PRIVATE_METADATA: 'true',
})
const answers: Readonly<Record<HookName, object>> = {
  beforeSignUp: { decision: 'accept' },
  afterSignIn: { decision: 'continue' },
  beforeToken: { claims: {} },
}
functions.behave(({ hook }, response) => response.end(JSON.stringify(answers[hook as HookName])))

/** What differs in each run, by the path of its object and its name. Only a value of the same type is replaced. */
const stable: Readonly<Record<string, unknown>> = {
  invocation_id: '0b0f1c52-6e0b-4c0e-9a57-1d7c0a5f7a11',
  'user.id': '42',
  'user.username': 'ada',
  'user.name': 'Ada Lovelace',
  'user.email': 'ada@example.com',
  'client.client_id': '7-films',
  'client.name': 'Films',
  'organization.id': '7',
  'organization.slug': 'acme',
  'organization.name': 'Acme',
  'connection.id': '3',
  'connection.name': 'Acme',
  'account.username': 'ada',
  'account.name': 'Ada Lovelace',
  'account.email': 'ada@example.com',
  'request.address': '203.0.113.7',
  'request.user_agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
}

const settle = (value: JsonValue, path = ''): JsonValue => {
  if (Object.hasOwn(stable, path)) return typeof value === typeof stable[path] ? stable[path] : value
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      settle(inner as JsonValue, path === '' ? name : `${path}.${name}`),
    ]),
  )
}

/** Does something that asks a hook once, and returns what the hook got. */
const record = async (hook: string, act: () => Promise<unknown>): Promise<JsonValue> => {
  closeCircuits()
  functions.questions.length = 0
  await act()
  const asked = functions.questions.filter((question) => question.hook === hook)
  expect(asked).toHaveLength(1)
  return settle(asked[0])
}

const recordWay = async (name: string): Promise<JsonValue> => {
  const way = ways.find((one) => one.name === name)
  if (!way) throw new Error(`There is no way ${name}.`)
  const { prove } = await way.addAccount(service)
  const send = await prove(new TestBrowser(service))
  return record('afterSignIn', send)
}

const staff = await addSignedIn(service, { permissions: ['system:admin-access', 'organizations:manage'] })

/** What people do who have no account yet. */
const recordSignUps = async (): Promise<JsonValue> => {
  const { client } = service
  const { bearer } = staff
  const policy = await client('PUT', '/api/2/system/sign-up-policy', { bearer, body: { mode: 'open' } })
  expect(policy.status).toBe(200)
  const newEmail = () => `${randomUUID()}@people.example`
  const ofEmail = await record('beforeSignUp', async () => {
    const email = newEmail()
    const asked = await client('POST', '/api/2/auth/sign-up', { body: { email } })
    expect(asked.status, asked.text).toBe(204)
    const token = await readMailedToken(service, email, 'sign-up')
    await client('POST', '/api/2/auth/sign-up/complete', { body: { token, full_name: 'Grace Hopper' } })
  })
  const google = closeAfterTests(await startUpstream())
  const connection = await addPublicConnection(service, bearer, google, { first_sign_in: 'create' })
  const ofProvider = await record('beforeSignUp', () => connection.signIn(newGoogleAccount()))
  const provider = await addProvider(service, await makeIdp())
  const ofCompany = await record('beforeSignUp', () =>
    signInByConnection(service, provider, { nameId: newEmail() }),
  )
  const acme = await addOrganization(service, staff)
  const ofInvitation = await record('beforeSignUp', async () => {
    const { token } = await inviteMember(service, acme, acme.owner, { email: newEmail() })
    await signUpInvited(service, token)
  })
  return { email: ofEmail, provider: ofProvider, company: ofCompany, invitation: ofInvitation }
}

it('the inputs of the package are those that the service sends', async () => {
  const email = `${randomUUID()}@example.com`
  const person = await addSignedIn(service, { email, language: 'en' })
  const password = await record('afterSignIn', () => trySignIn(service, person))
  const { authenticator } = await enableSecondFactor(service, person, -1)
  const secondFactor = await record('afterSignIn', () =>
    trySignIn(service, person, { otp: authenticator.code() }),
  )
  const films = 'https://films.example.com'
  await ensureApi(service.services.table, films)
  const scopes = ['openid', 'profile', 'attributes', 'organization', 'offline_access'] as const
  const party = await addRelyingParty(service, { scopes, audiences: [films] })
  const member = await addSignedIn(service, { email: `${randomUUID()}@example.com`, language: 'en' })
  const ask = { scope: 'openid profile attributes offline_access', resource: films }
  let refreshToken = ''
  const code = await record('beforeToken', async () => {
    refreshToken = (await getTokens(service, party, member.bearer, ask)).refresh_token
  })
  const refreshed = await record('beforeToken', () => refresh(service, party, refreshToken))
  const { id, owner } = await addOrganization(service, staff)
  const inOrganization = await record('beforeToken', () =>
    getTokens(service, party, owner.bearer, {
      scope: `${ask.scope} organization`,
      organization: String(id),
    }),
  )
  const recorded = {
    beforeSignUp: await recordSignUps(),
    afterSignIn: {
      password,
      secondFactor,
      emailCode: await recordWay('an emailed code'),
      passkey: await recordWay('a passkey'),
      company: await recordWay('an identity provider'),
      invitation: await recordWay('an invitation'),
    },
    beforeToken: { code, refresh: refreshed, organization: inOrganization },
  }
  for (const [hook, inputs] of Object.entries(recorded))
    for (const [name, input] of Object.entries(inputs))
      expect([name, findProblems(input, inputSchemas[hook as HookName], 'input')]).toEqual([name, []])
  await expect(`${JSON.stringify(recorded, null, 2)}\n`).toMatchFileSnapshot(
    resolve('lib/hooks/recorded-inputs.json'),
  )
})
