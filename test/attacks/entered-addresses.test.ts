import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { clientFrom, loopback } from '../support/addressed-client.ts'
import { awaitMails } from '../support/await-mails.ts'
import type { Answer } from '../support/client.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { proveWork } from '../support/proof-of-work.ts'
import { useService } from '../support/use-service.ts'

/* Accounts are free, so entering the address of somebody else in one's own account is a way to email anyone. */

const service = await useService({ RATE_LIMITS: 'emailConfirmationsPerAccount=5/3600' })
let networks = 100
let network = ''
beforeEach(() => {
  network = loopback(++networks)
})

const newAddress = () => `${randomUUID()}@victim.example`
const enter = (
  { bearer }: Pick<SignedInPerson, 'bearer'>,
  fields: object = {},
  from = network,
): Promise<Answer> =>
  clientFrom(from, service.url)('POST', '/api/2/users/me/email', {
    bearer,
    body: { email: newAddress(), ...fields },
  })
const asked = { status: 429, body: { code: 'too_many_requests', reason: 'proof_required' } }
/** As many requests as a network may send without a proof, each of another account. */
const press = async (): Promise<Answer> => {
  const people = await Promise.all(Array.from({ length: 10 }, () => addSignedIn(service)))
  for (const person of people) expect((await enter(person)).status).toBe(204)
  const next = await addSignedIn(service)
  const answer = await enter(next)
  expect(answer).toMatchObject(asked)
  return answer
}

it('costs a network the same work as a sign-up, with the same counter', async () => {
  const answer = await press()
  const person = await addSignedIn(service)
  const signUp = (proof?: string) =>
    clientFrom(network, service.url)('POST', '/api/2/auth/sign-up', {
      body: { email: newAddress(), ...(proof === undefined ? {} : { proof }) },
    })
  const proof = await proveWork(answer)
  expect(await signUp()).toMatchObject(asked)
  // A proof is for the operation that asked, and counts once.
  expect(await signUp(proof)).toMatchObject(asked)
  expect((await enter(person, { proof })).status).toBe(204)
  expect(await enter(person, { proof })).toMatchObject(asked)
  expect((await enter(person, {}, loopback(++networks))).status).toBe(204)
})

it('costs the same to have the link sent again, for the own account', async () => {
  const email = newAddress()
  const own = await addSignedIn(service, { email, emailVerified: false })
  const manager = await addSignedIn(service, { permissions: ['users:manage'] })
  await press()
  const send = ({ bearer }: SignedInPerson, body?: object) =>
    clientFrom(network, service.url)('POST', `/api/2/users/${own.user.id}/email/confirmation`, {
      bearer,
      ...(body === undefined ? {} : { body }),
    })
  const again = await send(own)
  expect(again).toMatchObject(asked)
  expect((await send(own, { proof: await proveWork(again) })).status).toBe(204)
  // Someone who manages users answers for the address.
  expect((await send(manager)).status).toBe(204)
})

it('emails a few of 100 addresses that one account enters, also with a proof for each', async () => {
  const person = await addSignedIn(service)
  const addresses = Array.from({ length: 100 }, newAddress)
  const answers: Answer[] = []
  for (const email of addresses) {
    const answer = await enter(person, { email })
    const isAsked = answer.body?.reason === 'proof_required'
    answers.push(isAsked ? await enter(person, { email, proof: await proveWork(answer) }) : answer)
  }
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(5)
  await awaitMails(service)
  const mailed = addresses.filter((email) => service.mailbox.mailsTo(email).length > 0)
  expect(mailed.length).toBeLessThanOrEqual(5)
})

it('emails a few of 100 addresses that 100 accounts of one network enter at once', async () => {
  const people = await Promise.all(Array.from({ length: 100 }, () => addSignedIn(service)))
  const answers = await Promise.all(people.map((person) => enter(person)))
  expect(answers.filter(({ status }) => status === 204).length).toBeLessThanOrEqual(10)
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(90)
})

it('costs nothing to withdraw the request', async () => {
  const email = newAddress()
  const person = await addSignedIn(service, { email })
  expect((await enter(person, {}, loopback(++networks))).status).toBe(204)
  await press()
  expect((await enter(person, { email })).status).toBe(204)
  const { body } = await service.client('GET', '/api/2/users/me', { bearer: person.bearer })
  expect(body).toMatchObject({ email, pending_email: null })
})
