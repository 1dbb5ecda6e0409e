import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { putAuditEvent } from '../../lib/accounts/events/records.ts'
import { countActiveUsers } from '../../lib/accounts/users/active-users.records.ts'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { updateUserLastSeen } from '../../lib/accounts/users/last-seen.records.ts'
import { readAuditCounts } from '../../lib/features/audit/daily-counts.records.ts'
import type { Overview } from '../../lib/features/audit/overview.models.ts'
import type { AuditEventName } from '../../lib/kernel/contract/audit-events.ts'
import { auditChainHeadKey } from '../../lib/kernel/table/keys/audit-keys.ts'
import { auditShards } from '../../lib/kernel/table/keys/audit-shards.ts'
import { makeCertificate } from '../support/certificates.ts'
import { costsSince, seedUsers } from '../support/directory.ts'
import { addLink, redeem } from '../support/links.ts'
import { addConnection } from '../support/oidc-upstream.ts'
import { addPerson, addSignedIn, signIn, trySignIn } from '../support/people.ts'
import { reachLimit } from '../support/reached-limits.ts'
import { useService } from '../support/use-service.ts'

const [minute, day] = [60_000, 86_400_000]

const folder = mkdtempSync(join(tmpdir(), 'latchkey-overview-'))

// The middle of a day, so that all sign-ins are on the same day.
vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-05-15T12:00:00.000Z') })
const service = await useService({ LOCAL_AUDIT_KEY_FILE: join(folder, 'audit.key') })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
afterAll(async () => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
})

/** Runs the function of the chains after some time, so that the events so far are old enough for it. */
const runChains = async (afterMs = minute) => {
  vi.setSystemTime(Date.now() + afterMs)
  const { maintainChains } = await import('../../lib/features/audit/maintain-chains.ts')
  await maintainChains(service.services, service.services.log)
}
const readOverview = async (): Promise<Overview> => {
  const { status, body, text } = await service.client('GET', '/api/2/overview', { bearer: admin.bearer })
  if (status !== 200) throw new Error(text)
  return body
}
/** The counts of the present day. */
const countNow = async () => {
  await runChains()
  return (await readOverview()).days.at(-1)
}
interface Details {
  readonly at?: number
  readonly outcome?: string
  readonly target?: string
  readonly count?: number
}
const addEvent = (event: AuditEventName, { at = Date.now(), ...details }: Details = {}) =>
  putAuditEvent(service.services.table, {
    ...{ at, event, user: null, actor: null, address: '', requestId: '', outcome: 'succeeded', target: null },
    ...details,
  })

const noSignIns = {
  date: '2026-05-15',
  succeeded: 0,
  passkey: 0,
  saml: 0,
  email_code: 0,
  second_factor: 0,
  refused: 0,
}

describe('the overview', () => {
  it('has thirty days without sign-ins and nothing to look at before the chains ran', async () => {
    const { attention, days } = await readOverview()
    expect(attention).toEqual([])
    expect(days).toHaveLength(30)
    expect(days.map(({ date }) => date)).toEqual(days.map(({ date }) => date).toSorted())
    expect(days.at(-1)).toEqual(noSignIns)
  })

  it('reports SAML providers whose last certificate ends soon or has ended', async () => {
    const soon = await makeCertificate({ name: 'soon', days: { from: -400, to: -20 } })
    const good = await makeCertificate({ name: 'good', days: { from: -1, to: 900 } })
    const add = (certificate: string) =>
      service.client('POST', '/api/2/auth/saml', {
        bearer: admin.bearer,
        body: {
          name: 'Acme',
          entity_id: `urn:${randomUUID()}`,
          sso_url: 'https://idp.example.com/sso',
          certificate,
        },
      })
    const find = async () =>
      (await readOverview()).attention.find(({ kind }) => kind === 'certificate_ending')
    expect((await add(soon.pem + good.pem)).status).toBe(201)
    expect(await find()).toBeUndefined()
    const { id } = (await add(soon.pem)).body
    const found = await find()
    expect(found).toMatchObject({ count: 1, has_more: false, time: expect.stringMatching(/^20/) })
    expect(found?.things).toMatchObject([
      { connection: id, connection_kind: 'saml', name: 'Acme', user: null, time: found?.time },
    ])
  })

  it('counts sign-ins and refusals, but no step of a sign-in that goes on', async () => {
    const { user, password } = await addPerson(service)
    const signIn = (given: string) => trySignIn(service, { user, password: given })
    expect((await signIn(password)).status).toBe(200)
    expect((await signIn(password)).status).toBe(200)
    expect((await signIn('wrong')).status).toBe(401)
    await addEvent('login.failed', { outcome: 'otp_required' })
    await addEvent('login.failed', { outcome: 'passkey_required' })
    // The administrator signed in as well.
    expect(await countNow()).toEqual({ ...noSignIns, succeeded: 3, refused: 1 })
  })

  it('counts each event once, however often and at the same time the chains run', async () => {
    const before = await countNow()
    await addEvent('login.succeeded')
    await addEvent('login.failed', { outcome: 'too_many_requests', count: 7 })
    vi.setSystemTime(Date.now() + minute)
    await Promise.allSettled([runChains(0), runChains(0), runChains(0)])
    const after = { ...before, succeeded: (before?.succeeded ?? 0) + 1, refused: (before?.refused ?? 0) + 7 }
    expect(await countNow()).toEqual(after)
    // Searches for late events read these again.
    for (let at = 0; at < 3; at++) await runChains(11 * minute)
    expect(await countNow()).toEqual(after)
  })

  it('counts an event that was stored late', async () => {
    const before = await countNow()
    await addEvent('login.succeeded', { at: Date.now() - 2 * minute })
    for (let at = 0; at < 3; at++) await runChains(11 * minute)
    expect((await countNow())?.succeeded).toBe((before?.succeeded ?? 0) + 1)
  })

  it('distinguishes the ways to sign in', async () => {
    for (const target of ['passkey:3', 'saml:2', 'email_code otp', 'otp', 'recovery_code', 'invitation'])
      await addEvent('login.succeeded', { target })
    expect(await countNow()).toMatchObject({ passkey: 1, saml: 1, email_code: 1, second_factor: 4 })
  })

  it('counts sign-ins of the SAML providers with the most, and all others together', async () => {
    const { body } = await service.client('GET', '/api/2/auth/saml', { bearer: admin.bearer })
    const { id, name } = body[0]
    const before = (await readOverview()).providers
    for (let at = 0; at < 30; at++) await addEvent('login.succeeded', { target: `saml:${id}` })
    for (let at = 0; at < 30; at++) await addEvent('login.succeeded', { target: `saml:${1000 + (at % 15)}` })
    for (const target of ['saml:0', 'saml:99999999999', 'saml:x'])
      await addEvent('login.succeeded', { target })
    await runChains()
    const { providers } = await readOverview()
    const known = before.find((provider) => provider.provider_id === id)?.succeeded ?? 0
    expect(providers[0]).toEqual({ provider_id: id, name, kind: 'saml', succeeded: known + 30 })
    expect(providers).toHaveLength(11)
    expect(providers[1]).toMatchObject({ provider_id: expect.any(Number), name: null, kind: null })
    expect(providers[10]).toMatchObject({ provider_id: null, name: null, kind: null })
    const sum = (all: Overview['providers']) => all.reduce((total, { succeeded }) => total + succeeded, 0)
    expect(sum(providers)).toBe(sum(before) + 63)
  })

  it('says which kind of connection signed people in', async () => {
    const issuer = 'https://accounts.example.com'
    const bearer = await signIn(service, admin)
    const { id } = await addConnection(service, bearer, issuer, { name: 'Example Ltd' })
    const before = (await readOverview()).providers
    for (let at = 0; at < 3; at++) await addEvent('login.succeeded', { target: `oidc:${id}` })
    await runChains()
    const { providers } = await readOverview()
    expect(before.some((provider) => provider.provider_id === id)).toBe(false)
    const entry = { provider_id: id, name: 'Example Ltd', kind: 'oidc', succeeded: 3 }
    expect(providers).toContainEqual(entry)
  })

  it('reports what failed in the last seven days', async () => {
    await addEvent('mail.given_up', { outcome: 'not_sent' })
    await addEvent('password.reset_sent', { outcome: 'not_sent' })
    await addEvent('invitation.sent', { outcome: 'unknown' })
    await addEvent('mail.suppressed', { target: 'bounce' })
    await addEvent('saml_provider.refresh_failed', { target: '2' })
    await addEvent('oidc_client.logout_failed', { target: '1', outcome: 'timeout' })
    await runChains()
    expect((await readOverview()).attention.slice(1)).toEqual(
      [
        'metadata_not_refreshed',
        'mail_failed',
        'mail_unknown',
        'address_suppressed',
        'logout_not_delivered',
      ].map((kind) => ({ kind, count: 1, has_more: false, time: null, things: [] })),
    )
    const { table } = service.services
    const { days } = await readAuditCounts(table, Date.now() + 6 * day)
    expect(days.slice(-7).some(({ counts }) => counts.get('mailFailed') === 1)).toBe(true)
    const later = await readAuditCounts(table, Date.now() + 40 * day)
    expect(later.days.every(({ counts }) => counts.size === 0)).toBe(true)
  })

  it('reports what is refused at the moment', async () => {
    await reachLimit(service, 'leakReports', '192.0.2.1')
    await reachLimit(service, 'leakReports', '192.0.2.2')
    const find = async () => (await readOverview()).attention.find(({ kind }) => kind === 'rate_limited')
    await expect.poll(async () => (await find())?.count).toBe(2)
    expect((await find())?.things.map(({ name }) => name).sort()).toEqual(['192.0.2.1', '192.0.2.2'])
    await runChains(2 * 60 * minute)
    expect(await find()).toBeUndefined()
  })

  it('reports a chain that stopped, or that someone made unreadable', async () => {
    const { table } = service.services
    const key = auditChainHeadKey('3')
    const head = await table.get(key)
    if (!head) throw new Error('there is no head')
    const stoppedAt = new Date(Date.now() - 31 * minute).toISOString()
    await table.put({ ...head, cursor: stoppedAt })
    const find = async () =>
      (await readOverview()).attention.filter(({ kind }) => kind === 'audit_chain_stopped')
    expect(await find()).toEqual([
      { kind: 'audit_chain_stopped', count: 1, has_more: false, time: stoppedAt, things: [] },
    ])
    await table.put({ ...head, cursor: 7 })
    expect(await find()).toHaveLength(1)
    await table.put({ ...head, counts: ['x', '20000 p', 'constructor p1', '20000 __proto__9', 4, null] })
    expect(await find()).toEqual([])
    await table.put({ ...head, counts: 'p1' })
    expect(await find()).toEqual([])
    await table.put(head)
  })

  it('takes the same number of calls for any number of events and users', async () => {
    const measure = async () => {
      const start = service.log.length
      await readOverview()
      return costsSince(service, start)[0]?.calls
    }
    const before = await measure()
    for (let at = 0; at < 60; at++) await addEvent('login.succeeded', { at: Date.now() - (at % 29) * day })
    await seedUsers(service, 1000, 2_000_000)
    for (let at = 0; at < 60; at++) await addEvent('login.succeeded', { target: `saml:${100 + at}` })
    await runChains()
    expect(await measure()).toBe(before)
  })

  it('keeps the head of a busy chain small', async () => {
    for (const shard of auditShards) {
      const head = await service.services.table.get(auditChainHeadKey(shard))
      expect(Buffer.byteLength(JSON.stringify(head))).toBeLessThan(2048)
    }
  })

  it('is refused to everyone but administrators', async () => {
    const { bearer } = await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })
    expect((await service.client('GET', '/api/2/overview', { bearer })).status).toBe(403)
    expect((await service.client('GET', '/api/2/overview')).status).toBe(401)
  })
})

describe('active users', () => {
  const count = async () => {
    // Sign-ins count with their events.
    await runChains()
    return (await readOverview()).active_users.map(({ users }) => users)
  }

  it('count once on each day, however often and from wherever they come, and guests do not count', async () => {
    const before = await count()
    const person = await addSignedIn(service)
    const see = () => service.client('GET', '/api/2/users/me', { bearer: person.bearer })
    for (const { status } of await Promise.all(Array.from({ length: 20 }, see))) expect(status).toBe(200)
    const again = await signIn(service, person)
    await service.client('GET', '/api/2/users/me', { bearer: again })
    const link = await addLink(service, admin.bearer, { email: `${randomUUID()}@example.com` })
    const { session_key: guest } = (await redeem(service, link.token)).body
    expect((await service.client('GET', '/api/2/users/me', { bearer: guest })).status).toBe(200)
    expect(await count()).toEqual(before.map((users) => users + 1))
  })

  it('are last seen when they sign in, and not only when they use the session', async () => {
    const person = await addPerson(service)
    const read = async () => {
      const path = `/api/2/users/${person.user.id}`
      return (await service.client('GET', path, { bearer: admin.bearer })).body.last_seen
    }
    expect(await read()).toBeNull()
    const body = { username: person.user.username, password: person.password }
    const { user } = (await service.client('POST', '/api/2/auth/login', { body })).body
    expect(await read()).toBe(user.last_seen)
  })

  it('count in the last 7 and 30 days only, and move with their last day', async () => {
    const table = service.services.table
    const now = Date.now()
    const person = await addPerson(service)
    const countAt = (days: number) => countActiveUsers(table, now + days * day)
    const seeAt = async (days: number) => {
      const user = await findUser(table, person.user.id)
      if (user) await updateUserLastSeen(table, user, now + days * day)
    }
    const start = 1000
    await seeAt(start)
    expect(await countAt(start)).toEqual([1, 1, 1])
    expect(await countAt(start + 6)).toEqual([0, 1, 1])
    expect(await countAt(start + 7)).toEqual([0, 0, 1])
    expect(await countAt(start + 30)).toEqual([0, 0, 0])
    await seeAt(start + 5)
    await seeAt(start + 5.2)
    expect(await countAt(start + 5)).toEqual([1, 1, 1])
    await seeAt(start + 100)
    expect(await countAt(start + 100)).toEqual([1, 1, 1])
    expect(await countAt(start + 30)).toEqual([0, 0, 1])
  })
})
