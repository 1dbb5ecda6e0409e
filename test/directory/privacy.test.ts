import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { partitions } from '../../lib/kernel/table/keys/partitions.ts'
import type { Item } from '../../lib/kernel/table/transaction.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import { awaitMails } from '../support/await-mails.ts'
import { makeIdp } from '../support/idp.ts'
import { addLink } from '../support/links.ts'
import { addRelyingParty, getTokens } from '../support/oidc.ts'
import { addPasskey } from '../support/passkeys.ts'
import { addSignedIn, signIn } from '../support/people.ts'
import { addProvider, signInByConnection } from '../support/saml.ts'
import { readItems } from '../support/table-copies.ts'
import { useService } from '../support/use-service.ts'

/* What docs/privacy.md promises about a deleted user. */

const service = await useService({ PUBLIC_URL: 'https://auth.example.com' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

const call = (method: string, path: string, bearer: string, body?: object) =>
  service.client(method, `/api/2/${path}`, { bearer, body })
const kindOf = (pk: string) =>
  Object.entries(partitions).find(([, name]) => (name.endsWith('#') ? pk.startsWith(name) : pk === name))?.[0]

it('leaves audit events, the last username, a hash of the name at a provider, and what expires', async () => {
  const mark = randomUUID()
  const email = `${mark}@example.com`
  const person = await addSignedIn(service, {
    ...{ email, full_name: `Ada ${mark}`, permissions: ['media:access'] },
    externalId: { source: 'old-system', id: mark },
  })
  const { id } = person.user
  await enableSecondFactor(service, person)
  await addPasskey(service, person)
  await signIn(service, person).catch(() => undefined)
  await getTokens(service, await addRelyingParty(service), person.bearer)
  expect((await call('POST', 'api-tokens', person.bearer, { name: mark })).status).toBe(201)
  const made = await addLink(service, person.bearer)
  const received = await addLink(service, admin.bearer, { user: id })
  await call('POST', 'auth/access-tokens/redeem', person.bearer, { token: received.token })
  const provider = await addProvider(service, await makeIdp())
  const linked = await call('POST', `users/${id}/company-accounts`, admin.bearer, {
    provider: provider.id,
    name: mark,
  })
  expect(linked.status, linked.text).toBe(201)
  await signInByConnection(service, provider, { nameId: mark, attributes: {} })
  await service.client('POST', '/api/2/auth/reset-password/request', { body: { email } })
  // Jobs of emails name the person until they are done.
  await awaitMails(service)

  expect((await call('DELETE', `users/${id}`, admin.bearer)).status).toBe(204)
  const namesOf = ({ pk }: Item) => kindOf(pk) ?? pk
  const ofPerson = (await readItems(service.tableName)).filter((item) => {
    const text = JSON.stringify(item)
    // A total can be the same number as the ID.
    const ids = namesOf(item) === 'totals' ? [] : [item['userId'], item['user']]
    return [mark, person.user.username].some((name) => text.includes(name)) || ids.includes(id)
  })
  // The mark of a browser in which the person signed in ends with its time.
  const shortLived = ['logoutJobs', 'oauthGrant', 'connectionSessions', 'rate']
  const left = new Set(ofPerson.map(namesOf))
  expect([...left].sort()).toEqual(['audit', 'deletedUser', 'companyAccount', ...shortLived].sort())
  for (const item of ofPerson) {
    const kind = namesOf(item)
    if (kind !== 'audit' && kind !== 'deletedUser') expect(JSON.stringify(item)).not.toContain(mark)
    // Jobs end when the apps were informed.
    if (kind !== 'companyAccount' && kind !== 'logoutJobs')
      expect(item['expires_at'], item.pk).toBeGreaterThan(Date.now() / 1000)
  }
  for (const { token } of [made, received])
    expect(
      (await service.client('POST', '/api/2/auth/access-tokens/redeem', { body: { token } })).status,
    ).toBe(404)
})
