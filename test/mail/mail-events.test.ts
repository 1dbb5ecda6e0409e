import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { handleFeedback } from '../../lib/features/mail/handle-feedback.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { awaitMails } from '../support/await-mails.ts'
import { addPerson, type Person } from '../support/people.ts'
import { bounceMessage, complaintMessage, snsEvent } from '../support/ses-events.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const { handler } = await import('../../functions/mail-events/index.ts')
let person: Person
let address = ''
let later = 0
beforeEach(async () => {
  // Each test starts two hours later, so that rate limits do not add up over this file.
  later += 2 * 60 * 60_000
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + later })
  address = `ann-${randomUUID()}@example.com`
  person = await addPerson(service, { email: address })
})
afterEach(() => vi.useRealTimers())

const deliver = (...messages: readonly string[]) => handler(snsEvent(...messages))
const askForLink = (email: string) =>
  service.client('POST', '/api/2/auth/reset-password/request', { body: { email } })

/** Whether the address receives a reset email. */
const receivesMail = async (to: string): Promise<boolean> => {
  const before = service.mailbox.mails.length
  expect((await askForLink(to)).status).toBe(204)
  await awaitMails(service)
  return service.mailbox.mails.slice(before).some((mail) => mail.to.includes(to))
}

const recordsOf = async (userId: number | null) => {
  const records = await readAuditItems(service.services.table)
  return records.filter(({ event, user }) => event === 'mail.suppressed' && user === userId)
}
const countOf = (metric: string): number =>
  service.log.filter((line) => JSON.parse(line)[metric] === 1).length

describe('an address with a permanent bounce', () => {
  it('receives no more reset emails, and requests for one do not reveal this', async () => {
    expect(await receivesMail(address)).toBe(true)
    await deliver(bounceMessage({ to: address }))
    expect(await receivesMail(address)).toBe(false)
    const withheld = service.log
      .map((line) => JSON.parse(line))
      .filter(({ event }) => event === 'mail.withheld')
    expect(withheld.at(-1)).toMatchObject({ level: 'warn', kind: 'password_reset', user: person.user.id })
  })

  it('is recognized in any spelling', async () => {
    await deliver(bounceMessage({ to: `Ann <${address.toUpperCase()}>` }))
    expect(await receivesMail(address)).toBe(false)
  })

  it('can receive email again after 180 days', async () => {
    await deliver(bounceMessage({ to: address }))
    const day = 24 * 60 * 60_000
    vi.setSystemTime(Date.now() + 180 * day - 60_000)
    expect(await receivesMail(address)).toBe(false)
    vi.setSystemTime(Date.now() + 120_000)
    expect(await receivesMail(address)).toBe(true)
  })

  it('is the one we sent to, not one that the email was forwarded to', async () => {
    const other = await addPerson(service, { email: `other-${randomUUID()}@example.com` })
    await deliver(bounceMessage({ to: address, named: other.user.email ?? '' }))
    expect(await receivesMail(other.user.email ?? '')).toBe(true)
    expect(await receivesMail(address)).toBe(false)
  })

  it('is recorded and counted once for each report, even if the report is delivered again', async () => {
    const before = countOf('MailBounced')
    const report = bounceMessage({ to: address })
    await Promise.all(Array.from({ length: 20 }, () => deliver(report, report)))
    expect(await recordsOf(person.user.id)).toMatchObject([{ target: 'bounce', actor: null }])
    expect(countOf('MailBounced')).toBe(before + 1)
    await deliver(bounceMessage({ to: address }))
    expect(await recordsOf(person.user.id)).toHaveLength(2)
  })

  it('is recorded even if no user has it', async () => {
    const before = (await recordsOf(null)).length
    await deliver(bounceMessage({ to: `unknown-${randomUUID()}@example.com` }))
    expect(await recordsOf(null)).toHaveLength(before + 1)
  })
})

describe('an address with a complaint', () => {
  it('receives no more email', async () => {
    const before = countOf('MailComplained')
    await deliver(complaintMessage({ to: address }))
    expect(await receivesMail(address)).toBe(false)
    expect(countOf('MailComplained')).toBe(before + 1)
    expect(await recordsOf(person.user.id)).toMatchObject([{ target: 'complaint' }])
  })
})

describe('an address keeps receiving email', () => {
  it.each([
    ['when its mailbox is full', (to: string) => bounceMessage({ to, type: 'Transient' })],
    [
      'when the cause of a bounce is undetermined',
      (to: string) => bounceMessage({ to, type: 'Undetermined' }),
    ],
    [
      'when its owner reports an email as not spam',
      (to: string) => complaintMessage({ to, type: 'not-spam' }),
    ],
    ['when an email was delivered', (to: string) => bounceMessage({ to }).replaceAll('Bounce', 'Delivery')],
    [
      'when the report has an unexpected type',
      (to: string) => bounceMessage({ to }).replace('"Permanent"', '["Permanent"]'),
    ],
    ['when the report is truncated', (to: string) => bounceMessage({ to }).slice(0, -1)],
    ['when the report has no feedback id', (to: string) => bounceMessage({ to, feedbackId: '' })],
  ])('%s', async (_, message) => {
    await deliver(message(address))
    expect(await receivesMail(address)).toBe(true)
  })
})

describe('an unexpected event', () => {
  const handles = async (event: unknown) => {
    await handler(event)
    return true
  }

  it('is logged and skipped, while other messages of the same event are handled', async () => {
    await deliver('{', 'null', '[]', '"Bounce"', '', '{"eventType":"Bounce"}', bounceMessage({ to: address }))
    expect(await receivesMail(address)).toBe(false)
    const unreadable = service.log.filter((line) => JSON.parse(line).event === 'mail_event.unreadable')
    expect(unreadable.length).toBeGreaterThanOrEqual(6)
  })

  it('never fails the function: any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => handles(snsEvent(text))),
      { numRuns: 300 },
    )
  })

  it('never fails the function: any value instead of an SNS event', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.anything(),
          fc.record({ Records: fc.anything() }),
          fc.record({ Records: fc.array(fc.anything()) }),
        ),
        handles,
      ),
      { numRuns: 300 },
    )
  })

  it('never fails the function: a report with any value in one of its fields', async () => {
    const parts = [
      'eventType',
      'bounce',
      'mail',
      'bounceType',
      'bouncedRecipients',
      'feedbackId',
      'destination',
      'emailAddress',
    ]
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...parts), fc.jsonValue(), async (part, value) => {
        const message = JSON.parse(bounceMessage({ to: address }), (name, original) =>
          name === part ? value : original,
        )
        return handles(snsEvent(JSON.stringify(message)))
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    `${'x'.repeat(600)}@example.com`,
    'x@',
    'a@b\r\nc@d.example',
    'a@example.com, b@example.com',
    '＠'.repeat(100),
    '\u{fdfa}'.repeat(500),
  ])('suppresses nothing if the address is invalid: %j', async (to) => {
    const before = (await recordsOf(null)).length
    await deliver(bounceMessage({ to }), complaintMessage({ to }))
    expect(await recordsOf(null)).toHaveLength(before)
  })
})

it('fails the function if the report cannot be stored, so that it is delivered again', async () => {
  const table = { ...service.services.table, transact: () => Promise.reject(new Error('the table is down')) }
  const services = { ...service.services, table }
  await expect(handleFeedback(services, 'id', bounceMessage({ to: address }))).rejects.toThrow(
    'table is down',
  )
})
