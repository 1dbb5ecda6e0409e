import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hookArns, resourcesOf, shareSynthesis } from '../infra/synthesis.ts'
import { type DeployedService, startDeployedService } from '../runner/deployed-service.ts'
import { addRelyingParty, getTokens } from '../support/oidc.ts'
import { addPerson, addSignedIn, callAs, trySignIn } from '../support/people.ts'
import { openSignUpWays } from '../support/sign-up-ways.ts'

/* The functions that call hooks may invoke those of the setting, and no others. */

const scope = 'openid attributes'
const accept = { decision: 'continue' }

describe('the functions of the setting', () => {
  let service: DeployedService
  beforeAll(async () => {
    service = await startDeployedService({ ALLOW_PRIVATE_METADATA: 'true' }, { stack: 'hooks' })
  })
  afterAll(() => service.close())

  const behave = (answers: { readonly [arn: string]: unknown }) =>
    service.deployment.lambda.behave(({ arn }) => ({ status: 200, body: JSON.stringify(answers[arn]) }))

  it('are invoked once for a sign-in, and once for tokens', async () => {
    const { lambda } = service.deployment
    behave({ [hookArns.afterSignIn]: accept, [hookArns.beforeToken]: { claims: { plan: 'pro' } } })
    const person = await addSignedIn(service)
    expect(lambda.invocations.map(({ arn }) => arn)).toEqual([hookArns.afterSignIn])
    const party = await addRelyingParty(service, { scopes: ['openid', 'attributes'] })
    const tokens = await getTokens(service, party, person.bearer, { scope })
    expect(decodeJwt(tokens.id_token)['plan']).toBe('pro')
    expect(lambda.invocations.map(({ arn }) => arn)).toEqual([hookArns.afterSignIn, hookArns.beforeToken])
    expect(lambda.invocations[1]?.payload).toMatchObject({ version: 1, hook: 'beforeToken' })
    expect(service.deployment.takeDenials()).toEqual([])
  })

  it('that are deleted, throttled or forbidden end as promised', async () => {
    behave({ [hookArns.afterSignIn]: accept })
    const person = await addSignedIn(service)
    const party = await addRelyingParty(service, { scopes: ['openid', 'attributes'] })
    for (const status of [403, 404, 429, 500]) {
      service.deployment.lambda.behave(() => ({
        status,
        body: JSON.stringify({ ...accept, claims: { plan: 'x' } }),
      }))
      const answer = await trySignIn(service, person)
      expect([answer.status, answer.body.reason]).toEqual([503, 'hook_failed'])
      const tokens = await getTokens(service, party, person.bearer, { scope })
      expect(decodeJwt(tokens.id_token)).not.toHaveProperty('plan')
    }
    expect(service.deployment.takeDenials()).toEqual([])
  })

  it('are invoked once for an account, and give it groups and attributes', async () => {
    const { lambda } = service.deployment
    behave({ [hookArns.afterSignIn]: accept })
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const call = callAs(service, admin)
    const attributes = [{ name: 'plan', type: 'text', is_searchable: true }]
    expect((await call('PUT', 'system/user-attributes', { attributes })).status).toBe(200)
    const group = { name: 'Customers', permissions: ['films:watch'], members: [] }
    expect((await call('POST', 'groups', group)).status).toBe(201)
    const ways = await openSignUpWays(service, admin)
    const gifts = { decision: 'accept', groups: ['Customers'], attributes: { plan: 'pro' } }
    for (const { begin, isPage } of ways) {
      behave({ [hookArns.afterSignIn]: accept, [hookArns.beforeSignUp]: gifts })
      const { send } = await begin()
      lambda.invocations.length = 0
      const answer = await send()
      expect(answer.status, answer.text).toBe(isPage ? 303 : 200)
      expect(lambda.invocations.map(({ arn }) => arn)).toEqual([
        hookArns.beforeSignUp,
        ...(isPage ? [hookArns.afterSignIn] : []),
      ])
    }
    const given = await call('GET', 'users?attribute=pro')
    expect([given.status, given.body.length]).toEqual([200, ways.length])
    expect(service.deployment.takeDenials()).toEqual([])
  })

  it('refuse a person with words', async () => {
    behave({ [hookArns.afterSignIn]: { decision: 'refuse', message: 'Not today.' } })
    const { status, body } = await trySignIn(service, await addPerson(service))
    expect([status, body.refusal]).toEqual([403, 'Not today.'])
  })
})

it('only the functions that call a hook may invoke it', async () => {
  const { template } = await shareSynthesis('hooks')
  const rolesOf = (arn: string) =>
    resourcesOf(template, 'AWS::IAM::Role')
      .filter(([, role]) => JSON.stringify(role).includes(arn))
      .map(([id]) => id.replace(/[\dA-F]{8}$/, ''))
      .sort()
  expect(rolesOf(hookArns.beforeSignUp)).toEqual(['AuthConnectionFlowRole', 'AuthInvitationsRole'])
  expect(rolesOf(hookArns.beforeToken)).toEqual(['AuthOidcRole'])
  expect(rolesOf(hookArns.afterSignIn)).toEqual([
    'AuthConnectionFlowRole',
    'AuthInvitationsRole',
    'AuthPasskeysRole',
    'AuthSessionsRole',
  ])
})

it('without hooks, no function has a variable or a permission for them', async () => {
  const { template } = await shareSynthesis('service')
  expect(JSON.stringify(template)).not.toMatch(/"HOOKS"|before-sign-up|after-sign-in|before-token/)
})
