import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { makeIdp } from '../support/idp.ts'
import { addPerson } from '../support/people.ts'
import { addProvider, signInByConnection, userOfSession, vouchForDomains } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* An identity provider that claims addresses of other organizations for its users. */

const service = await useService({ PUBLIC_URL: 'https://auth.example.com' })
const provider = await addProvider(service, await makeIdp(), { auto_create_users: true })

const signIn = async (email: string, nameId: string = randomUUID()) => {
  const { session } = await signInByConnection(service, provider, { nameId, attributes: { email: [email] } })
  const id = await userOfSession(service, session)
  const user = await findUser(service.services.table, id ?? 0)
  if (!user) throw new Error('the user was not found')
  return user
}
const trust = (domains: readonly string[]) => vouchForDomains(service, provider, domains)

it('only claims an address, unless an administrator named exactly its domain', async () => {
  await trust(['partner.example', 'bücher.example'])
  for (const [domain, isTrusted] of [
    ['partner.example', true],
    ['PARTNER.example', true],
    ['xn--bcher-kva.example', true],
    ['bücher.example', true],
    ['mail.partner.example', false],
    ['notpartner.example', false],
    ['partner.example.evil.example', false],
    ['pаrtner.example', false],
    ['partner.example＠evil.example', false],
  ] as const) {
    const user = await signIn(`${randomUUID()}@${domain}`)
    expect([domain, user.email !== null && user.emailVerified !== false]).toEqual([domain, isTrusted])
  }
})

it('trusts no domain by default, and no list of a stored provider', async () => {
  const fresh = await addProvider(service, await makeIdp(), { auto_create_users: true })
  const { body } = await service.client('GET', `/api/2/auth/saml/${fresh.id}`, { bearer: fresh.admin })
  expect(body.domains).toEqual([])
})

it('never changes the address of a user later, also not to that of another user', async () => {
  await trust(['partner.example'])
  const email = `${randomUUID()}@partner.example`
  const owner = await addPerson(service, { email })
  const nameId = randomUUID()
  const own = `${randomUUID()}@partner.example`
  await signIn(own, nameId)
  expect((await signIn(email, nameId)).email).toBe(own)
  expect((await findUser(service.services.table, owner.user.id))?.email).toBe(email)
})

it('confirms the claimed address of its user once the domain is trusted, and no other', async () => {
  await trust([])
  const [email, other] = [`${randomUUID()}@partner.example`, `${randomUUID()}@partner.example`]
  const nameId = randomUUID()
  expect((await signIn(email, nameId)).emailVerified).toBe(false)
  await trust(['partner.example'])
  expect((await signIn(other, nameId)).emailVerified).toBe(false)
  const confirmed = await signIn(email, nameId)
  expect([confirmed.email, confirmed.emailVerified]).toEqual([email, undefined])
})
