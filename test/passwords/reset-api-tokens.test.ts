import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { findApiTokens } from '../../lib/features/api-tokens/records.ts'
import { mintResetToken } from '../../lib/features/passwords/reset-tokens.ts'
import { addSignedIn, type SignedInPerson, signIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
let person: SignedInPerson
beforeEach(async () => {
  person = await addSignedIn(service, { email: `${randomUUID()}@example.com` })
})

const password = 'another good passphrase'
const createToken = async (bearer = person.bearer, fields: object = {}): Promise<string> => {
  const body = { name: randomUUID(), ...fields }
  return (await service.client('POST', '/api/2/api-tokens', { bearer, body })).body.token
}
const reset = async (fields: object) => {
  const { services } = service
  const user = await findUser(services.table, person.user.id)
  if (!user) throw new Error('the user was not found')
  const { value, steps } = mintResetToken(services, user)
  await services.table.transact([...steps])
  return service.client('POST', '/api/2/auth/reset-password', { body: { token: value, password, ...fields } })
}
const statusOf = async (bearer: string) => (await service.client('GET', '/api/2/users/me', { bearer })).status

it('ends all API tokens with the password if the user asks for it, with their tickets', async () => {
  const tokens = [
    await createToken(),
    await createToken(person.bearer, { token: `${randomUUID()}${randomUUID()}` }),
  ]
  const { ticket } = (await service.client('POST', '/api/2/auth/ticket', { bearer: tokens[0] ?? '' })).body
  expect((await reset({ end_api_tokens: true })).status).toBe(204)
  for (const token of tokens) expect(await statusOf(token)).toBe(401)
  const check = await service.client('POST', '/api/2/auth/ticket/check', { body: { ticket } })
  expect(check.status).toBeGreaterThanOrEqual(400)
  expect(await findApiTokens(service.services.table, person.user.id)).toEqual([])
  const fresh = await createToken(await signIn(service, { ...person, password }))
  expect(await statusOf(fresh)).toBe(200)
})

it('keeps API tokens otherwise', async () => {
  const token = await createToken()
  expect((await reset({})).status).toBe(204)
  expect((await reset({ end_api_tokens: false })).status).toBe(204)
  expect(await statusOf(token)).toBe(200)
})

it('rejects other values, and keeps the reset link valid', async () => {
  for (const value of ['true', 1, null, []]) expect((await reset({ end_api_tokens: value })).status).toBe(400)
})

it('ends tokens that are created at the same time', async () => {
  const [created] = await Promise.all([createToken(), reset({ end_api_tokens: true })])
  if (created) expect(await statusOf(created)).toBe(401)
  expect(await statusOf(person.bearer)).toBe(401)
})
