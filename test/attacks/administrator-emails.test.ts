import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { rescueUser } from '../../cli/users/run-rescue.ts'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { ageAuthentication } from '../support/age-authentication.ts'
import { awaitMails } from '../support/await-mails.ts'
import { listMailedTokens, readMailedToken } from '../support/mailed-page.ts'
import { addPerson, addSignedIn, type SignedInPerson, signIn } from '../support/people.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

/* The sign-in page asks administrators for an email address. Anyone who sets it for them can reset their password. */

const service = await useService()
let admin: SignedInPerson
beforeEach(async () => {
  admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
})

const newAddress = () => `${randomUUID()}@example.com`
const give = (email: string, bearer: string | undefined, more: object = {}) =>
  service.client('POST', '/api/2/users/me/email', { body: { email, ...more }, ...(bearer ? { bearer } : {}) })
const confirm = async (token: string, { bearer } = admin) =>
  (await service.client('POST', '/api/2/auth/confirm-email', { bearer, body: { token } })).status
const tokenTo = (address: string) => readMailedToken(service, address, 'confirm')
const emailOf = async ({ user }: SignedInPerson) => {
  const { email, emailVerified } = (await findUser(service.services.table, user.id)) ?? {}
  return emailVerified === false ? null : email
}

it('the address counts once its owner has confirmed it, once', async () => {
  const address = newAddress()
  expect((await give(address, admin.bearer)).status).toBe(204)
  expect(await emailOf(admin)).toBeNull()
  const token = await tokenTo(address)
  expect(await confirm(token)).toBe(204)
  expect(await confirm(token)).toBe(400)
  expect(await emailOf(admin)).toBe(address)
})

it('no one sets the address of another account', async () => {
  const other = await addSignedIn(service)
  const address = newAddress()
  for (const more of [{ id: admin.user.id }, { user: admin.user.id }, { username: admin.user.username }])
    expect((await give(address, other.bearer, more)).status).toBe(400)
  expect((await give(address, undefined)).status).toBe(401)
  expect((await give(address, other.bearer)).status).toBe(204)
  expect(await confirm(await tokenTo(address))).toBe(403)
  expect(await confirm(await tokenTo(address), other)).toBe(204)
  expect([await emailOf(admin), await emailOf(other)]).toEqual([null, address])
})

it('an old session sets none, and neither does one that can only set up a second factor', async () => {
  await ageAuthentication(service, admin, 24 * 60 * 60_000)
  expect((await give(newAddress(), admin.bearer)).body.reason).toBe('reauthentication_required')
  await storeSignInPolicy(service, {
    second_factor_for_everybody: true,
  })
  const body = { username: admin.user.username, password: admin.password, second_factor_setup: true }
  const setup = await service.client('POST', '/api/2/auth/login', { body })
  expect(setup.status).toBe(200)
  const refused = await give(newAddress(), setup.body.session_key)
  expect([refused.status, refused.body.reason]).toEqual([403, 'second_factor_setup_required'])
  await storeSignInPolicy(service, {})
  expect((await findUser(service.services.table, admin.user.id))?.pendingEmail).toBeUndefined()
})

it('a rescue ends the session of a thief, and the link that was sent to their address', async () => {
  const thief = { ...admin, bearer: await signIn(service, admin) }
  const address = newAddress()
  expect((await give(address, thief.bearer)).status).toBe(204)
  const token = await tokenTo(address)
  const context = { address: 'command line', userAgent: '', requestId: 'rescue', actor: null, at: Date.now() }
  const { resetToken } = await rescueUser(
    service.services,
    admin.user.id,
    { removesSecondFactors: false },
    context,
  )
  expect((await give(newAddress(), thief.bearer)).status).toBe(401)
  expect(await confirm(token)).toBe(400)
  const password = `A new and long password ${randomUUID()}`
  const body = { token: resetToken, password }
  expect((await service.client('POST', '/api/2/auth/reset-password', { body })).status).toBe(204)
  // The address that they give now is the only one that counts.
  const [own, bearer] = [newAddress(), await signIn(service, { ...admin, password })]
  expect((await give(own, bearer)).status).toBe(204)
  expect(await confirm(token, { ...admin, bearer })).toBe(400)
  expect(await confirm(await tokenTo(own), { ...admin, bearer })).toBe(204)
  expect(await emailOf(admin)).toBe(own)
})

it('of addresses that are sent at once, one counts, and its link works once', async () => {
  const addresses = Array.from({ length: 4 }, newAddress)
  const answers = await Promise.all(addresses.map((address) => give(address, admin.bearer)))
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  expect(answers.some(({ status }) => status === 204)).toBe(true)
  const pending = (await findUser(service.services.table, admin.user.id))?.pendingEmail?.email ?? ''
  expect(addresses).toContain(pending)
  // Each request is a job that sends a link to the pending address. The link that was made last is the one that works.
  await awaitMails(service)
  const tokens = listMailedTokens(service, pending, 'confirm')
  const confirmed = await Promise.all([...tokens, ...tokens, ...tokens].map((token) => confirm(token)))
  expect(confirmed.filter((status) => status === 204)).toHaveLength(1)
  expect(await emailOf(admin)).toBe(pending)
})

it('the address of another account stays with it', async () => {
  const email = newAddress()
  const { user } = await addPerson(service, { email })
  expect((await give(email, admin.bearer)).status).toBe(204)
  expect((await findUser(service.services.table, user.id))?.email).toBe(email)
  expect(await emailOf(admin)).toBeNull()
})
