import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { findCompanyAccounts } from '../../lib/features/connections/accounts.records.ts'
import { TestBrowser } from '../support/browser.ts'
import { makeIdp } from '../support/idp.ts'
import { addPerson } from '../support/people.ts'
import { addProvider, sessionOf, startSignIn } from '../support/saml.ts'
import { awaitReportToken, reportChange } from '../support/security-emails.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ PUBLIC_URL: 'https://auth.example.com' })
const provider = await addProvider(service, await makeIdp(), { auto_create_users: false })

/** A thief links their own account at the provider, in the browser of the victim. */
const linkAsThief = async (nameId: string) => {
  const victim = await addPerson(service, { email: `${randomUUID()}@example.com` })
  const browser = new TestBrowser(service)
  const body = { username: victim.user.username, password: victim.password }
  browser.keep(await service.client('POST', '/api/2/auth/login', { body }))
  const start = await browser.get(`${provider.loginUrl}?link=true`, 'same-origin')
  const { idp, own, assertionUrl } = provider
  const request = idp.read(start.headers.get('location') ?? '', [own.pem])
  const answer = await idp.answer(idp.targetOf(request), { nameId })
  expect((await browser.post(assertionUrl, answer.form)).status).toBe(303)
  return victim
}
const signInAt = async (nameId: string) => {
  const { browser, target } = await startSignIn(service, provider)
  return sessionOf(await browser.post(target.acsUrl, (await provider.idp.answer(target, { nameId })).form))
}

it('an account that a thief linked cannot sign in after a report, and its sessions end', async () => {
  const nameId = `thief-${randomUUID()}`
  const victim = await linkAsThief(nameId)
  const session = (await signInAt(nameId)) ?? ''
  expect((await service.client('GET', '/api/2/users/me', { bearer: session })).body.id).toBe(victim.user.id)
  const token = await awaitReportToken(service, victim, 'Another account was linked to yours')
  expect((await reportChange(service, token)).status).toBe(200)
  expect((await service.client('GET', '/api/2/users/me', { bearer: session })).status).toBe(401)
  expect(await signInAt(nameId)).toBeUndefined()
  const { table } = service.services
  expect(await findCompanyAccounts(table, victim.user)).toEqual([])
})

it('a linked account cannot sign in while its item waits for deletion', async () => {
  const nameId = `thief-${randomUUID()}`
  const victim = await linkAsThief(nameId)
  const key = { pk: `user#${victim.user.id}`, sk: 'user' }
  await service.services.table.update(key, (x) => ({
    set: [`${x.path('revokedCredentials')} = ${x.value({ from: 0, to: Date.now() })}`],
  }))
  expect(await signInAt(nameId)).toBeUndefined()
  expect((await findUser(service.services.table, victim.user.id))?.revokedCredentials).toBeDefined()
})

it('an account that was linked before the reported change stays linked', async () => {
  const nameId = `own-${randomUUID()}`
  const victim = await linkAsThief(nameId)
  const [account] = await findCompanyAccounts(service.services.table, victim.user)
  const key = { pk: `user#${victim.user.id}`, sk: `company-account#${provider.id}#${account?.hash}` }
  await service.services.table.update(key, (x) => ({ set: [`${x.path('linkedAt')} = ${x.value(1)}`] }))
  const token = await awaitReportToken(service, victim, 'Another account was linked to yours')
  await reportChange(service, token)
  expect(await signInAt(nameId)).toBeDefined()
})
