import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { awaitMails } from '../support/await-mails.ts'
import { addPerson, type Person } from '../support/people.ts'
import { awaitReportToken, reportChange } from '../support/security-emails.ts'
import { useService } from '../support/use-service.ts'

const subject = 'New sign-in to your account'
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'
const newerFirefox = firefox.replaceAll('145', '146')
const safari =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15'

const service = await useService()

const addOwner = () => addPerson(service, { email: `${randomUUID()}@example.com` })
const login = async ({ user, password }: Person, userAgent = firefox): Promise<string> => {
  const body = { username: user.username, password }
  const headers = { 'user-agent': userAgent }
  const answer = await service.client('POST', '/api/2/auth/login', { body, headers })
  expect(answer.status).toBe(200)
  return answer.body.session_key
}
const countMails = ({ user }: Person): number =>
  service.mailbox.mailsTo(user.email).filter((mail) => mail.subject === `${subject} – Latchkey`).length
it('sends one email for a new device, and none for the first sign-in or a new version of a browser', async () => {
  const person = await addOwner()
  await login(person)
  await login(person, newerFirefox)
  await awaitMails(service)
  expect(countMails(person)).toBe(0)
  for (let at = 0; at < 3; at++) await login(person, safari)
  await awaitMails(service)
  expect(countMails(person)).toBe(1)
  const { text } = await service.mailbox.mailTo(person.user.email)
  expect(text).toContain('127.0.0.1, Safari on macOS')
})

it('sends an email for a network that the account never signed in from', async () => {
  const person = await addOwner()
  const key = { pk: `user#${person.user.id}`, sk: 'user' }
  await service.services.table.update(key, (x) => ({
    set: [`${x.path('knownAddresses')} = ${x.value({ '198.51.100.7': Date.now() })}`],
  }))
  await login(person)
  await awaitReportToken(service, person, subject)
})

it('remembers a limited number of devices', async () => {
  const person = await addOwner()
  const key = { pk: `user#${person.user.id}`, sk: 'user' }
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`198.51.100.${at} Firefox`, at]))
  await service.services.table.update(key, (x) => ({ set: [`${x.path('knownDevices')} = ${x.value(many)}`] }))
  await login(person)
  const { knownDevices = {} } = (await findUser(service.services.table, person.user.id)) ?? {}
  expect(Object.keys(knownDevices)).toHaveLength(20)
  expect(Object.keys(knownDevices)).toContain('127.0.0.1 Firefox on Windows')
  expect(Object.keys(knownDevices)).not.toContain('198.51.100.0 Firefox')
})

it('ends the session of a thief who knows the password, and the password, after a report', async () => {
  const person = await addOwner()
  const own = await login(person)
  const thief = await login(person, safari)
  const answer = await reportChange(service, await awaitReportToken(service, person, subject))
  expect(answer.body).toEqual({ email_restored: false, password_invalidated: true, reset_email_sent: true })
  for (const bearer of [own, thief])
    expect((await service.client('GET', '/api/2/users/me', { bearer })).status).toBe(401)
  const body = { username: person.user.username, password: person.password }
  expect((await service.client('POST', '/api/2/auth/login', { body })).status).toBe(401)
})
