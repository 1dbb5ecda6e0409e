import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { replaceRecoveryCodes } from '../../lib/features/second-factor/totp.records.ts'
import { mintRecoveryCodes } from '../../lib/kernel/secrets/recovery-codes.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { enableSecondFactor, type SecondFactor } from '../support/authenticator.ts'
import { addPerson, addSignedIn, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
let person: SignedInPerson
let secondFactor: SecondFactor
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  person = await addSignedIn(service, { email: `${randomUUID()}@example.com` })
  secondFactor = await enableSecondFactor(service, person)
})
afterEach(() => vi.useRealTimers())

const renew = (bearer = person.bearer, id = person.user.id) =>
  service.client('POST', `/api/2/users/${id}/totp/recovery-codes`, { bearer })
const signInWith = async (otp: string) => {
  const body = { username: person.user.username, password: person.password, otp }
  return (await service.client('POST', '/api/2/auth/login', { body })).status
}
const me = async (bearer = person.bearer) => (await service.client('GET', '/api/2/users/me', { bearer })).body

describe('renew_recovery_codes', () => {
  it('shows new codes once, ends the old ones, and informs the user by email', async () => {
    const answer = await renew()
    expect(answer.status).toBe(200)
    const [code = '', ...others] = answer.body.recovery_codes
    expect(others).toHaveLength(9)
    expect(answer.body.recovery_codes).not.toContain(secondFactor.recoveryCodes[0])
    expect(await signInWith(secondFactor.recoveryCodes[0] ?? '')).toBe(403)
    expect(await signInWith(code)).toBe(200)
    expect(await signInWith(code)).toBe(403)
    await service.mailbox.mailTo(
      person.user.email,
      ({ subject }) => subject === 'Your recovery codes were replaced – Latchkey',
    )
    const events = await readAuditItems(service.services.table)
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'totp.recovery_codes_renewed', user: person.user.id }),
    )
  })

  it('leaves the codes of one of 10 concurrent requests, and shows no codes that were never valid', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => renew()))
    const renewed = answers.filter(({ status }) => status === 200)
    expect(renewed.length).toBeGreaterThan(0)
    for (const { status } of answers) expect([200, 409]).toContain(status)
    const statuses = await Promise.all(renewed.map(({ body }) => signInWith(body.recovery_codes[0])))
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  })

  it('fails if the codes were replaced or one was used since they were read', async () => {
    const { table } = service.services
    const read = async () => {
      const user = await findUser(table, person.user.id)
      if (!user?.totp) throw new Error('the second factor is off')
      return { user, totp: user.totp }
    }
    const replace = async ({ user, totp }: Awaited<ReturnType<typeof read>>) =>
      replaceRecoveryCodes(
        table,
        user,
        { totp, stored: (await mintRecoveryCodes()).stored, nowMs: Date.now() },
        [],
      )
    const before = await read()
    expect(await replace(before)).toBe(true)
    expect(await replace(before)).toBe(false)
    const { recovery_codes: codes } = (await renew()).body
    const unused = await read()
    expect(await signInWith(codes[0])).toBe(200)
    expect(await replace(unused)).toBe(false)
  })

  it('is refused for others, without a second factor, by API token, and while impersonating', async () => {
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    expect((await renew(admin.bearer)).status).toBe(404)
    expect((await renew(admin.bearer, admin.user.id)).status).toBe(404)
    const created = await service.client('POST', '/api/2/api-tokens', {
      bearer: person.bearer,
      body: { name: 'script' },
    })
    expect(created.status).toBe(201)
    expect((await renew(created.body.token)).status).toBe(403)
    const other = await addPerson(service)
    const start = (user: number) =>
      service.client('POST', '/api/2/auth/impersonation', { bearer: admin.bearer, body: { user } })
    expect((await start(other.user.id)).status).toBe(204)
    expect((await renew(admin.bearer, other.user.id)).status).toBe(403)
  })
})

describe('the number of recovery codes that are left', () => {
  it('is part of the own profile, and decreases with each use', async () => {
    expect((await me()).recovery_codes_left).toBe(10)
    expect(await signInWith(secondFactor.recoveryCodes[0] ?? '')).toBe(200)
    expect((await me()).recovery_codes_left).toBe(9)
    await renew()
    expect((await me()).recovery_codes_left).toBe(10)
  })

  it('is hidden from API tokens and administrators, and absent without a second factor', async () => {
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    expect(await me(admin.bearer)).not.toHaveProperty('recovery_codes_left')
    const { body } = await service.client('POST', '/api/2/api-tokens', {
      bearer: person.bearer,
      body: { name: 'script' },
    })
    expect(await me(body.token)).not.toHaveProperty('recovery_codes_left')
    const start = { bearer: admin.bearer, body: { user: person.user.id } }
    expect((await service.client('POST', '/api/2/auth/impersonation', start)).status).toBe(204)
    expect((await me(admin.bearer)).id).toBe(person.user.id)
    expect(await me(admin.bearer)).not.toHaveProperty('recovery_codes_left')
  })
})
