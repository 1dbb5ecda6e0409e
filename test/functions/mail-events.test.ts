import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { handleFeedback } from '../../functions/mail-events/handle-feedback.ts'
import { auditPartition } from '../../lib/store/engine/keys.ts'
import { addPerson, type Person } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'
import { bounceMessage, complaintMessage, snsEvent } from '../support/ses-events.ts'

let service: TestService
let handler: (event: unknown) => Promise<void>
let person: Person
let address = ''
let later = 0
beforeAll(async () => {
  service = await startService()
  ;({ handler } = await import('../../functions/mail-events/index.ts'))
})
beforeEach(async () => {
  // Each try some hours after the last, so that limits don't add up over this file.
  later += 2 * 60 * 60_000
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + later })
  address = `ann-${randomUUID()}@example.com`
  person = await addPerson(service, { email: address })
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(() => service.close())

const bring = (...messages: readonly string[]) => handler(snsEvent(...messages))
const askForLink = (email: string) =>
  service.client('POST', '/api/2/auth/reset-password/request', { body: { email } })

/** Whether a reset mail gets to the address: mails go out in order, so a later one that has come settles it. */
const getsMail = async (to: string): Promise<boolean> => {
  const before = service.mailbox.mails.length
  expect((await askForLink(to)).status).toBe(204)
  const { user } = await addPerson(service, { email: `${randomUUID()}@example.com` })
  await askForLink(user.email ?? '')
  await service.mailbox.mailTo(user.email ?? '')
  return service.mailbox.mails.slice(before).some((mail) => mail.to.includes(to))
}

const recordsOf = async (userId: number | null) => {
  const records = await service.services.table.list(auditPartition(new Date().toISOString()), '')
  return records.filter(({ event, user }) => event === 'mail.suppressed' && user === userId)
}
const countOf = (metric: string): number =>
  service.log.filter((line) => JSON.parse(line)[metric] === 1).length

describe('an address that a mail came back from for good', () => {
  it('gets no more reset mail, and whoever asks for one is told nothing', async () => {
    expect(await getsMail(address)).toBe(true)
    await bring(bounceMessage({ to: address }))
    expect(await getsMail(address)).toBe(false)
    const withheld = service.log
      .map((line) => JSON.parse(line))
      .filter(({ event }) => event === 'mail.withheld')
    expect(withheld.at(-1)).toMatchObject({ level: 'warn', kind: 'password_reset', user: person.user.id })
  })

  it('is known in every spelling, and nobody else is', async () => {
    await bring(bounceMessage({ to: `Ann <${address.toUpperCase()}>` }))
    expect(await getsMail(address)).toBe(false)
  })

  it('may have mail again after 180 days', async () => {
    await bring(bounceMessage({ to: address }))
    const day = 24 * 60 * 60_000
    vi.setSystemTime(Date.now() + 180 * day - 60_000)
    expect(await getsMail(address)).toBe(false)
    vi.setSystemTime(Date.now() + 120_000)
    expect(await getsMail(address)).toBe(true)
  })

  it('is the one that we sent to, not one that somebody forwards to', async () => {
    const victim = await addPerson(service, { email: `victim-${randomUUID()}@example.com` })
    await bring(bounceMessage({ to: address, named: victim.user.email ?? '' }))
    expect(await getsMail(victim.user.email ?? '')).toBe(true)
    expect(await getsMail(address)).toBe(false)
  })

  it('is recorded and counted once, however often the report is brought', async () => {
    const before = countOf('MailBounced')
    const report = bounceMessage({ to: address })
    await Promise.all(Array.from({ length: 20 }, () => bring(report, report)))
    expect(await recordsOf(person.user.id)).toMatchObject([{ target: 'bounce', actor: null }])
    expect(countOf('MailBounced')).toBe(before + 1)
    await bring(bounceMessage({ to: address }))
    expect(await recordsOf(person.user.id)).toHaveLength(2)
  })

  it('need not be that of anybody here', async () => {
    const before = (await recordsOf(null)).length
    await bring(bounceMessage({ to: `nobody-${randomUUID()}@example.com` }))
    expect(await recordsOf(null)).toHaveLength(before + 1)
  })
})

describe('an address whose owner called a mail spam', () => {
  it('gets no more', async () => {
    const before = countOf('MailComplained')
    await bring(complaintMessage({ to: address }))
    expect(await getsMail(address)).toBe(false)
    expect(countOf('MailComplained')).toBe(before + 1)
    expect(await recordsOf(person.user.id)).toMatchObject([{ target: 'complaint' }])
  })
})

describe('an address stays good', () => {
  it.each([
    ['when its mailbox is full', (to: string) => bounceMessage({ to, type: 'Transient' })],
    ['when nobody knows what was wrong', (to: string) => bounceMessage({ to, type: 'Undetermined' })],
    [
      'when its owner says that a mail is no spam',
      (to: string) => complaintMessage({ to, type: 'not-spam' }),
    ],
    ['when a mail was delivered', (to: string) => bounceMessage({ to }).replaceAll('Bounce', 'Delivery')],
    [
      'when the report is of another form',
      (to: string) => bounceMessage({ to }).replace('"Permanent"', '["Permanent"]'),
    ],
    ['when the report is half of one', (to: string) => bounceMessage({ to }).slice(0, -1)],
    ['when the report names no report', (to: string) => bounceMessage({ to, feedbackId: '' })],
  ])('%s', async (_, message) => {
    await bring(message(address))
    expect(await getsMail(address)).toBe(true)
  })
})

describe('whatever else comes', () => {
  const brought = async (event: unknown) => {
    await handler(event)
    return true
  }

  it('is passed over and noted, and the messages beside it count', async () => {
    await bring('{', 'null', '[]', '"Bounce"', '', '{"eventType":"Bounce"}', bounceMessage({ to: address }))
    expect(await getsMail(address)).toBe(false)
    const unreadable = service.log.filter((line) => JSON.parse(line).event === 'mail_event.unreadable')
    expect(unreadable.length).toBeGreaterThanOrEqual(6)
  })

  it('never breaks the function: any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => brought(snsEvent(text))),
      { numRuns: 300 },
    )
  })

  it('never breaks the function: anything instead of an event of SNS', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.anything(),
          fc.record({ Records: fc.anything() }),
          fc.record({ Records: fc.array(fc.anything()) }),
        ),
        brought,
      ),
      { numRuns: 300 },
    )
  })

  it('never breaks the function: a report with anything in place of one of its parts', async () => {
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
        const message = JSON.parse(bounceMessage({ to: address }), (name, known) =>
          name === part ? value : known,
        )
        return brought(snsEvent(JSON.stringify(message)))
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
  ])('suppresses nothing for what is no address: %j', async (to) => {
    const before = (await recordsOf(null)).length
    await bring(bounceMessage({ to }), complaintMessage({ to }))
    expect(await recordsOf(null)).toHaveLength(before)
  })
})

it('a report that could not be stored is thrown back, to be brought again', async () => {
  const table = { ...service.services.table, transact: () => Promise.reject(new Error('the table is down')) }
  const services = { ...service.services, table }
  await expect(handleFeedback(services, 'id', bounceMessage({ to: address }))).rejects.toThrow(
    'table is down',
  )
})
