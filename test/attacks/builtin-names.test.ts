import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { userKey } from '../../lib/kernel/table/keys/keys.ts'
import type { Item } from '../../lib/kernel/table/transaction.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { awaitMails } from '../support/await-mails.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * Every object has members that no one declared. A thief names one of them as their language, so that the owner of the
 * account gets no email about what the thief does.
 */

const builtIns = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__defineGetter__', 'valueOf']
const newAddress = () => `${randomUUID()}@example.com`
const service = await useService({
  RATE_LIMITS: 'resetRequestsPerAccount=100/60, resetRequestsPerAddress=1000/60',
})

const findMail = (email: string | null, subject: string) =>
  service.mailbox.mailTo(email, (mail) => mail.subject.includes(subject))
const requestReset = (username: string, language: string) =>
  service.client('POST', `/api/2/auth/reset-password/request`, {
    body: { username },
    headers: { 'accept-language': language },
  })

describe.each(builtIns)('a thief who asks for the language %s', (language) => {
  const headers = {
    'accept-language': language,
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
  }

  it('does not hide a new device, a new API token and a changed address from the owner', async () => {
    const { user, password, bearer } = await addSignedIn(service, { email: newAddress() })
    const body = { username: user.username, password }
    expect((await service.client('POST', '/api/2/auth/login', { body, headers })).status).toBe(200)
    await findMail(user.email, 'New sign-in')
    const token = { bearer, headers, body: { name: language } }
    expect((await service.client('POST', '/api/2/api-tokens', token)).status).toBe(201)
    await findMail(user.email, 'An API token was created')
    const email = newAddress()
    const change = { bearer, headers, body: { email } }
    expect((await service.client('POST', '/api/2/users/me/email', change)).status).toBe(204)
    await findMail(email, 'Confirm')
  })

  it('gets pages and a reset email in English', async () => {
    for (const path of ['/', '/reset', '/link', '/invite', '/confirm', '/secure'])
      for (const query of [
        '',
        `?ui_locales=${language}`,
        `?ui_locales=xx%20${language}`,
        `?language=${language}`,
      ]) {
        const page = await service.client('GET', `${path}${query}`, {
          headers: { ...headers, accept: 'text/html' },
        })
        expect([path, query, page.status]).toEqual([path, query, 200])
        expect(page.text).toContain('<html lang="en"')
      }
    const { user } = await addPerson(service, { email: newAddress() })
    expect((await requestReset(user.username, language)).status).toBe(204)
    await findMail(user.email, 'Choose a new password')
  })
})

it('80 hostile requests for others hold up no reset email', async () => {
  const others = await Promise.all(
    Array.from({ length: 40 }, () => addPerson(service, { email: newAddress() })),
  )
  const victim = await addPerson(service, { email: newAddress() })
  const names = others.flatMap(({ user }) => [user.username, randomUUID()])
  const statuses = await Promise.all(
    names.map(async (name, at) => (await requestReset(name, builtIns[at % builtIns.length] ?? '')).status),
  )
  expect(new Set(statuses)).toEqual(new Set([204]))
  expect((await requestReset(victim.user.username, 'fr')).status).toBe(204)
  await findMail(victim.user.email, 'Latchkey')
  await awaitMails(service)
  for (const { user } of others) expect(service.mailbox.mailsTo(user.email)).toHaveLength(1)
})

it('80 jobs whose email cannot be made make no link, and hold up no other email', async () => {
  const { table } = service.services
  const broken = await addPerson(service, { email: newAddress() })
  const victim = await addPerson(service, { email: newAddress() })
  // No request can store such a name.
  await table.update(userKey(broken.user.id), (x) => ({ set: [`${x.path('username')} = ${x.value(7)}`] }))
  await Promise.all(Array.from({ length: 80 }, () => requestReset(broken.user.username, 'en')))
  expect((await requestReset(victim.user.username, 'en')).status).toBe(204)
  await findMail(victim.user.email, 'Choose a new password')
  // Ten attempts of each would take long on a busy machine. Without the user there is nothing to send.
  await table.transact([{ delete: userKey(broken.user.id) }])
  await awaitMails(service)
  const events = await readAuditItems(table)
  const isLinkOf = (id: number) => (one: Item) =>
    one['event'] === 'password.reset_link_made' && one['user'] === id
  expect(events.filter(isLinkOf(broken.user.id))).toEqual([])
  expect(events.filter(isLinkOf(victim.user.id))).toHaveLength(1)
  expect(service.mailbox.mailsTo(broken.user.email)).toEqual([])
})
