import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { buildAuditStep, putAuditEvent } from '../../lib/accounts/events/records.ts'
import type { Activity } from '../../lib/features/audit/activity.models.ts'
import type { AuditEventName } from '../../lib/kernel/contract/audit-events.ts'
import type { Item } from '../../lib/kernel/table/transaction.ts'
import { addRelyingParty, getCode } from '../support/oidc.ts'
import { addConnection } from '../support/oidc-upstream.ts'
import { addPerson, addSignedIn, signIn, trySignIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const [minute, day] = [60_000, 86_400_000]
const folder = mkdtempSync(join(tmpdir(), 'latchkey-activity-'))

vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-05-15T12:00:00.000Z') })
const service = await useService({ LOCAL_AUDIT_KEY_FILE: join(folder, 'audit.key') })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const given = { name: 'numbers', scopes: ['audit-events:view'] }
const { token } = (await service.client('POST', '/api/2/api-tokens', { bearer: admin.bearer, body: given }))
  .body
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
const read = async (path: string) => {
  const answer = await service.client('GET', path, { bearer: token })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}
const readActivity = (): Promise<Activity> => read('/api/2/activity')
const readMonth = async (month = new Date().toISOString().slice(0, 7)) => {
  const found = (await readActivity()).months.find((ofMonth) => ofMonth.month === month)
  if (!found) throw new Error(`${month} is not shown`)
  return found
}
const buildEvent = (event: AuditEventName, target: string | null = null, given = {}) => ({
  ...{ at: Date.now(), event, user: null, actor: null, address: '', requestId: '', outcome: 'succeeded' },
  ...{ target, ...given },
})
const addEvent = (...given: Parameters<typeof buildEvent>) =>
  putAuditEvent(service.services.table, buildEvent(...given))

describe('the activity of a month', () => {
  it('counts a user whose sign-in is all that they did, once, however often and at the same time', async () => {
    await runChains()
    const before = await readMonth()
    const overview = (await read('/api/2/overview')).active_users
    const person = await addPerson(service)
    const answers = await Promise.all(Array.from({ length: 4 }, () => trySignIn(service, person)))
    const succeeded = answers.filter(({ status }) => status === 200).length
    expect(succeeded).toBeGreaterThan(0)
    await runChains()
    const after = await readMonth()
    expect(after.active_users).toBe(before.active_users + 1)
    expect(after.password - before.password).toBe(succeeded)
    const users = (list: readonly { users: number }[]) => list.map((one) => one.users)
    expect(users((await read('/api/2/overview')).active_users)).toEqual(
      users(overview).map((count) => count + 1),
    )
  })

  it('counts a user who comes back with an older session, but not after a sign-in of the day', async () => {
    vi.setSystemTime(Date.parse('2026-05-30T23:50:00.000Z'))
    const person = await addSignedIn(service)
    const use = (bearer: string) =>
      Promise.all(
        Array.from({ length: 10 }, async () => {
          expect((await service.client('GET', '/api/2/users/me', { bearer })).status).toBe(200)
        }),
      )
    await use(person.bearer)
    await runChains()
    const before = (await readMonth()).active_users
    vi.setSystemTime(Date.parse('2026-05-31T00:10:00.000Z'))
    await use(person.bearer)
    vi.setSystemTime(Date.parse('2026-05-31T23:50:00.000Z'))
    const bearer = await signIn(service, person)
    await runChains()
    expect((await readMonth()).active_users).toBe(before)
    vi.setSystemTime(Date.parse('2026-06-01T00:00:30.000Z'))
    await use(bearer)
    await signIn(service, person)
    await runChains()
    expect((await readMonth()).active_users).toBe(1)
    expect((await readMonth('2026-05')).active_users).toBe(before)
  })

  it('counts ways to sign in, new accounts and refusals', async () => {
    const before = await readMonth()
    for (const target of ['passkey:3', 'saml:2', 'oidc:4', 'email_code otp', 'recovery_code', 'invitation'])
      await addEvent('login.succeeded', target)
    await addEvent('login.failed', null, { outcome: 'too_many_requests', count: 7 })
    await addEvent('login.failed', null, { outcome: 'otp_required' })
    for (const event of ['sign_up.completed', 'sign_up.approved', 'sign_up.waiting'] as const)
      await addEvent(event)
    await addEvent('invitation.accepted', 'password')
    await addEvent('company_account.created', 'saml:2')
    // Each of the three above, and an account of an administrator. A guest is no account.
    for (let count = 0; count < 4; count += 1) await addEvent('user.created')
    await addEvent('user.created', 'guest')
    await addEvent('users.imported')
    await addEvent('users.imported')
    await runChains()
    const after = await readMonth()
    const grown = Object.entries(after).flatMap(([name, count]) => {
      const known = before[name as keyof typeof before]
      return typeof count === 'number' && count !== known ? [[name, count - Number(known)]] : []
    })
    expect(Object.fromEntries(grown)).toEqual({
      ...{ sign_ins: 6, password: 1, passkey: 1, saml: 1, oidc: 1, email_code: 1, invitation: 1 },
      ...{ second_factor: 3, refused: 7, sign_ups: 2, invitations_accepted: 1, company_accounts: 1 },
      ...{ new_accounts: 6, imported_accounts: 2 },
    })
  })

  it('counts each event once, also those that are stored late, until the month is settled', async () => {
    await runChains()
    const { month, sign_ups: before } = await readMonth()
    await addEvent('sign_up.completed')
    vi.setSystemTime(Date.now() + minute)
    await Promise.allSettled([runChains(0), runChains(0), runChains(0)])
    for (let at = 0; at < 3; at++) await runChains(11 * minute)
    expect((await readMonth(month)).sign_ups).toBe(before + 1)
    vi.setSystemTime(Date.parse('2026-07-01T00:01:00.000Z'))
    await runChains()
    expect(await readMonth(month)).toMatchObject({ sign_ups: before + 1, is_settled: false })
    // A machine that was suspended stores its event with the time before.
    const late = buildEvent('sign_up.completed', null, { at: Date.parse('2026-06-30T23:59:59.000Z') })
    const { put } = buildAuditStep(late) as { readonly put: Item }
    await service.services.table.put({ ...put, expires_at: Date.now() / 1000 + day })
    for (let at = 0; at < 3; at++) await runChains(11 * minute)
    expect(await readMonth(month)).toMatchObject({ sign_ups: before + 2, is_settled: true })
    expect(await readMonth()).toMatchObject({ month: '2026-07', sign_ups: 0, is_settled: false })
  })

  it('names apps and connections, and adds up those with the fewest sign-ins', async () => {
    const bearer = await signIn(service, admin)
    const party = await addRelyingParty(service, { name: 'Shop', normalizedName: 'shop' })
    const app = party.client
    const connection = await addConnection(service, bearer, 'https://accounts.example.com', {
      name: 'Example',
    })
    await getCode(service, party, bearer)
    for (let at = 0; at < 4; at++) await addEvent('oidc_client.authorized', String(app.id))
    await addEvent('oidc_client.device_approved', String(app.id))
    for (let at = 0; at < 5; at++) await addEvent('login.succeeded', `oidc:${connection.id}`)
    // IDs that share an item, and more than are named.
    const ids = [...Array.from({ length: 110 }, (_, at) => 1000 + at * 50), 7400, 13_800, 999_999_999]
    await Promise.all(ids.map((id) => addEvent('oidc_client.authorized', String(id))))
    for (const target of ['0', '-1', '9999999999', 'x', '__proto__', 'constructor'])
      await addEvent('oidc_client.authorized', target)
    await runChains()
    const { months, apps, connections } = await readActivity()
    const thisMonth = months.findIndex(({ month }) => month === '2026-07')
    const count = (rows: readonly { sign_ins: readonly number[] }[]) =>
      rows.map((row) => row.sign_ins[thisMonth])
    expect(apps[0]).toMatchObject({ app_id: app.id, name: 'Shop' })
    expect(apps[0]?.sign_ins).toHaveLength(13)
    expect(count(apps)).toEqual([6, ...Array.from({ length: 99 }, () => 1), ids.length - 99])
    expect(apps.at(-1)).toMatchObject({ app_id: null, name: null })
    expect(apps[1]).toMatchObject({ app_id: 1000, name: null })
    expect(connections[0]).toMatchObject({ connection_id: connection.id, name: 'Example', kind: 'oidc' })
    expect(count(connections)[0]).toBe(5)
    expect(connections.at(-1)).toMatchObject({ connection_id: expect.any(Number), name: null, kind: null })
  })

  it('shows a year and the month before it, and keeps the numbers of deleted users', async () => {
    const before = (await readActivity()).months
    expect(before.map(({ month }) => month)).toEqual(
      Array.from({ length: 13 }, (_, at) => new Date(Date.UTC(2025, 6 + at, 1)).toISOString().slice(0, 7)),
    )
    const { active_users: active } = await readMonth('2026-05')
    expect(active).toBeGreaterThan(1)
    vi.setSystemTime(Date.parse('2027-05-20T12:00:00.000Z'))
    const later = (await readActivity()).months
    expect(later[0]).toMatchObject({ month: '2026-05', active_users: active, is_settled: true })
    vi.setSystemTime(Date.parse('2027-06-01T00:00:00.000Z'))
    expect((await readActivity()).months[0]).toMatchObject({ month: '2026-06' })
  })
})
