import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { putAuditEvent } from '../../lib/accounts/events/records.ts'
import type { ActivityMonth, AppActivity } from '../../lib/features/audit/activity.models.ts'
import { sessionReviewKey, vaultCanaryKey } from '../../lib/kernel/table/keys/keys.ts'
import { partitions } from '../../lib/kernel/table/keys/partitions.ts'
import { startDeployedService } from '../runner/deployed-service.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { acceptInvitation, findInvitation, readInvitationToken } from '../support/invitations.ts'
import { startLogoutReceiver, useClient, verifyLogoutToken } from '../support/logout-receiver.ts'
import { addOrganization } from '../support/organization-invitations.ts'
import { addPasskey, signInWithPasskey } from '../support/passkeys.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { bounceMessage } from '../support/ses-events.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'

/* Functions without routes, called as the template wires them: by the stream, schedules, topics and CloudFormation. */

const service = closeAfterTests(await startDeployedService({}, { createsSigningKeys: false }))

const functionOf = (name: string) => {
  const [found] = [...service.deployment.functions].filter(([id]) => id.startsWith(`Auth${name}Function`))
  if (!found) throw new Error(`there is no function ${name}`)
  return found[1]
}
const deadLettersOf = (name: string) =>
  service.deployment.deadLetters.filter(({ functionId }) => functionId.startsWith(`Auth${name}Function`))

describe('the first administrator', () => {
  it('is invited by the deployment, once, and signs in with the link as an administrator', async () => {
    const { responseUrl, responses } = service.deployment
    const event = { RequestType: 'Create', ResponseURL: responseUrl, RequestId: 'Create' }
    await Promise.all([event, event].map((one) => functionOf('FirstAdmin').invoke(one)))
    await functionOf('FirstAdmin').invoke({
      ...event,
      RequestType: 'Update',
      PhysicalResourceId: 'first-admin',
    })
    expect(responses.map(({ Status }) => Status)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS'])
    const token = await readInvitationToken(service, 'first-admin@example.com')
    expect((await findInvitation(service, token)).body).toMatchObject({
      username: 'admin',
      invited_by: null,
      is_sign_up: false,
    })
    const accepted = await acceptInvitation(service, token, 'violin harbor mustard tent')
    expect(accepted.status).toBe(200)
    const me = await service.client('GET', '/api/2/users/me', { bearer: accepted.body.session_key })
    expect(me.body).toMatchObject({ username: 'admin', effective_permissions: ['system:admin-access'] })
    expect(service.mailbox.mailsTo('first-admin@example.com')).toHaveLength(1)
  })

  it('comes with a proof of the vault key, and a deployment with another key fails', async () => {
    const { table, vault } = service.services
    const { responseUrl, responses } = service.deployment
    const deployAgain = async () => {
      const event = { RequestType: 'Update', ResponseURL: responseUrl, RequestId: 'Update' }
      await functionOf('FirstAdmin').invoke({ ...event, PhysicalResourceId: 'first-admin' })
      return responses.at(-1)
    }
    const canary = await table.get(vaultCanaryKey)
    expect(canary).toBeDefined()
    expect(await deployAgain()).toMatchObject({ Status: 'SUCCESS', Reason: 'The user admin already exists.' })
    // What the vault cannot read looks like what another key has encrypted.
    const cipher = await vault.encrypt('canary', { purpose: 'totp' })
    await table.put({ ...vaultCanaryKey, cipher })
    expect(await deployAgain()).toMatchObject({
      Status: 'FAILED',
      Reason: expect.stringContaining('encrypted with another key'),
    })
    await table.put({ ...vaultCanaryKey, ...canary })
    expect(await deployAgain()).toMatchObject({ Status: 'SUCCESS' })
  })
})

describe('signing keys', () => {
  it('are created by CloudFormation, so that the first request for a JWT succeeds', async () => {
    const { responseUrl, responses } = service.deployment
    expect((await service.client('GET', '/.well-known/jwks.json')).body).toEqual({ keys: [] })
    await functionOf('SigningKeys').invoke({
      RequestType: 'Create',
      ResponseURL: responseUrl,
      RequestId: 'Keys',
    })
    expect(responses.at(-1)).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: 'signing-keys' })
    const { bearer, user } = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const group = { name: `Editors ${randomUUID()}`, permissions: [], members: [{ id: user.id }] }
    await service.client('POST', '/api/2/groups', { bearer, body: group })
    const answer = await service.client('POST', '/api/2/auth/jwt', { bearer, body: {} })
    expect([answer.status, answer.body.token_type]).toEqual([200, 'Bearer'])
    expect((await service.client('HEAD', '/.well-known/jwks.json')).status).toBe(200)
  })
})

describe('audit events', () => {
  it('reach the bus through the stream, each one once', async () => {
    await addSignedIn(service)
    await service.deployment.stream.whenIdle()
    const stored = (await readAuditItems(service.services.table)).map(({ sk }) => sk)
    const sent = service.deployment.eventBridge.events.map(({ Detail }) => JSON.parse(Detail).record.sk.S)
    expect(stored.length).toBeGreaterThan(0)
    expect([...sent].sort()).toEqual([...stored].sort())
  })

  it('are counted, chained and signed by the schedule', async () => {
    const { user } = await addSignedIn(service)
    const { table } = service.services
    // The function leaves events alone for some seconds, so these happened before.
    for (const event of ['login.succeeded', 'oidc_client.authorized'] as const) {
      const activeDay = Math.floor(Date.now() / 86_400_000)
      const details = { actor: user.id, address: '', requestId: '', outcome: 'succeeded', target: '1' }
      const counted = { activeDay, activeAfter: 31 }
      await putAuditEvent(table, { at: Date.now() - 60_000, event, user: user.id, ...details, ...counted })
    }
    const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const organization = await addOrganization(service, { bearer })
    const invited = { event: 'organization.invited', organization: organization.id, user: null } as const
    const byNobody = { actor: null, address: '', requestId: '', outcome: 'succeeded', target: '1' }
    await putAuditEvent(table, { at: Date.now() - 60_000, ...invited, ...byNobody })
    await service.deployment.sources.fireSchedule('AuthAuditChain')
    expect(functionOf('AuditChain').log()).toContain('"event":"audit.checkpoint"')
    const events = `/api/2/organizations/${organization.id}/events`
    const shown = await service.client('GET', events, { bearer: organization.owner.bearer })
    expect(shown.body).toMatchObject([{ event: 'organization.invited', target: '1' }])
    const { body } = await service.client('GET', '/api/2/activity', { bearer })
    const ofApp = body.apps.find((one: AppActivity) => one.app_id === 1)
    expect(ofApp.sign_ins.reduce((total: number, count: number) => total + count, 0)).toBeGreaterThan(0)
    expect(body.months.some((month: ActivityMonth) => month.active_users > 0)).toBe(true)
  })

  it('become dead letters while the bus refuses them', async () => {
    service.deployment.eventBridge.refuse = () => 'InternalException'
    await addSignedIn(service)
    await service.deployment.stream.whenIdle()
    service.deployment.eventBridge.clear()
    expect(deadLettersOf('AuditForward')).not.toEqual([])
  })
})

describe('emails', () => {
  const requestReset = (email: string) =>
    service.client('POST', '/api/2/auth/reset-password/request', { body: { email } })

  it('are sent through the stream, and not again after a bounce', async () => {
    const email = `${randomUUID()}@example.com`
    await addPerson(service, { email })
    await requestReset(email)
    await service.mailbox.mailTo(email)
    await service.deployment.sources.publishMailEvent(bounceMessage({ to: email }))
    await requestReset(email)
    await service.deployment.stream.whenIdle()
    expect(service.mailbox.mailsTo(email)).toHaveLength(1)
  })

  it('become dead letters if SES refuses them again and again', async () => {
    const email = `${randomUUID()}@example.com`
    await addPerson(service, { email })
    service.mailbox.failNext(100, 503)
    await requestReset(email)
    await service.deployment.stream.whenIdle()
    service.mailbox.failNext(0, 503)
    expect(deadLettersOf('Mailer')).toHaveLength(1)
  })

  it('become dead letters if the function cannot record a bounce', async () => {
    service.deployment.failTable(({ accessKeyId }) => accessKeyId.startsWith('AuthMailEvents'))
    await service.deployment.sources.publishMailEvent(bounceMessage({ to: 'ann@example.com' }))
    service.deployment.failTable(() => false)
    expect(deadLettersOf('MailEvents')).toHaveLength(1)
  })
})

describe('clients of OpenID Connect', () => {
  const endSession = async () => {
    const receiver = await startLogoutReceiver(service)
    const product = await receiver.addClient()
    const person = await addSignedIn(service)
    await useClient(service, person.bearer, product.client)
    service.deployment.eventBridge.clear()
    await service.client('POST', '/api/2/auth/logout', { bearer: person.bearer })
    await service.deployment.stream.whenIdle()
    return { product, receiver }
  }
  const isBackchannelLogout = ({ accessKeyId }: { readonly accessKeyId: string }) =>
    accessKeyId.startsWith('AuthBackchannelLogout')

  it('are informed at once through the stream and the bus of jobs', async () => {
    const { product, receiver } = await endSession()
    await service.deployment.sources.deliverEvents(service.deployment.eventBridge.events)
    await receiver.close()
    await verifyLogoutToken(service, product.tokens[0] ?? '', product.client)
    expect(product.tokens).toHaveLength(1)
  })

  it('are informed by the schedule if the bus loses the event, and the table throttles and loses answers', async () => {
    const { product, receiver } = await endSession()
    service.deployment.throttleNext(2, isBackchannelLogout)
    service.deployment.loseAnswers(isBackchannelLogout)
    await service.informClients()
    service.deployment.loseAnswers(() => false)
    await receiver.close()
    expect(product.tokens).toHaveLength(1)
  })

  it('are given up after hours, which an audit event reports', async () => {
    const { product, receiver } = await endSession()
    product.respond = (response) => response.writeHead(500).end()
    await service.informClients()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 9 * 60 * 60_000 })
    await service.informClients()
    vi.useRealTimers()
    await receiver.close()
    const events = await readAuditItems(service.services.table, [Date.now(), Date.now() + 9 * 60 * 60_000])
    expect(events.filter(({ event }) => event === 'oidc_client.logout_failed')).toMatchObject([
      { target: String(product.client.id), outcome: 'status' },
    ])
  })
})

describe('the refresh of SAML providers', () => {
  it('is started by its schedule', async () => {
    await service.deployment.sources.fireSchedule('AuthConnectionRefresh')
    expect(functionOf('ConnectionRefresh').log()).toContain('"event":"connection_refresh.done"')
  })
})

describe('a caller that the template does not name', () => {
  it('cannot call a function', async () => {
    await expect(service.deployment.sources.fireSchedule('AuthMailer')).rejects.toThrow('no schedule')
  })
})

it('retries calls that the table throttles', async () => {
  const { bearer } = await addSignedIn(service)
  service.deployment.throttleNext(2, ({ accessKeyId }) => accessKeyId.startsWith('AuthTickets'))
  expect((await service.client('POST', '/api/2/auth/ticket', { bearer, body: {} })).status).toBe(200)
})

it('creates signing keys at once if none can sign', async () => {
  const { bearer } = await addSignedIn(service)
  const { eventBridge, sources } = service.deployment
  const { table } = service.services
  const { signingKeys, privateSigningKeys } = partitions
  const keys = [...(await table.list(signingKeys, '')), ...(await table.list(privateSigningKeys, ''))]
  await table.transact(keys.map(({ pk, sk }) => ({ delete: { pk, sk } })))
  // The function keeps the keys that it knows for a minute.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 60_000 })
  eventBridge.clear()
  const signing = service.client('POST', '/api/2/auth/jwt', { bearer, body: {} })
  const isForKeys = ({ DetailType }: { readonly DetailType: string }) => DetailType === 'Missing signing keys'
  await expect.poll(() => eventBridge.events.filter(isForKeys).length).toBe(1)
  // The clock of a function stands still here while it works.
  vi.setSystemTime(Date.now() - 1000)
  await sources.deliverEvents(eventBridge.events.filter(isForKeys))
  expect((await signing).status).toBe(200)
  vi.useRealTimers()
})

// The last test, because its audit events are of a later month.
it('rotates signing keys by the schedule, and withdraws them for an operator', async () => {
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: now + 31 * 24 * 60 * 60_000 })
  await service.deployment.sources.fireSchedule('AuthSigningKeys')
  const before = (await service.client('GET', '/.well-known/jwks.json')).body.keys
  expect(before).toHaveLength(2)
  const [{ kid }] = before
  expect(await functionOf('SigningKeys').invoke({ withdraw: kid })).toEqual({ withdrawn: [kid] })
  vi.setSystemTime(Date.now() + 61_000)
  const after = (await service.client('GET', '/.well-known/jwks.json')).body.keys
  expect(after.map((key: { kid: string }) => key.kid)).not.toContain(kid)
  vi.useRealTimers()
})

describe('the review of sessions', () => {
  it('ends those without the factor that everybody needs, and lets named rights rest in others', async () => {
    const { table, now } = service.services
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const lacking = await addSignedIn(service)
    const group = { name: randomUUID(), permissions: ['users:view'], members: [lacking.user.id] }
    const made = await service.client('POST', '/api/2/groups', { bearer: admin.bearer, body: group })
    expect(made.status, made.text).toBe(201)
    const strong = await addSignedIn(service)
    const { passkey } = await addPasskey(service, strong)
    const { session_key: bearer } = (await signInWithPasskey(service, passkey)).body
    const readStatus = async (one: string) =>
      (await service.client('GET', '/api/2/users/me', { bearer: one })).status
    const review = async () => {
      // As a change of the policy asks for it, a minute ago.
      const asked = { requests: 1, round: 1, startedAt: now() - 120_000, users: 0, ended: 0, changed: 0 }
      await table.put({ ...sessionReviewKey, ...asked, parts: 1 })
      await service.informClients()
    }
    await storeSignInPolicy(service, {
      second_factor_for_permissions: ['users:view'],
      second_factor_grace_days: 0,
    })
    await review()
    const read = await service.client('GET', '/api/2/users', { bearer: lacking.bearer })
    expect(read).toMatchObject({ status: 403, body: { reason: 'second_factor_required' } })
    expect(await readStatus(lacking.bearer)).toBe(200)
    await storeSignInPolicy(service, { second_factor_for_everybody: true, second_factor_grace_days: 0 })
    await review()
    expect([await readStatus(lacking.bearer), await readStatus(bearer)]).toEqual([401, 200])
    await storeSignInPolicy(service, {})
  })
})
