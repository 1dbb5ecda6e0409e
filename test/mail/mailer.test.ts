import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { EntryLost, findWaitingEntries, takeEntry } from '../../lib/accounts/outbox/outbox.records.ts'
import { readAuditPage } from '../../lib/features/audit/list.records.ts'
import { prepareResetEmail } from '../../lib/features/mail/write-reset.ts'
import { type Key, userKey } from '../../lib/kernel/table/keys/keys.ts'
import { addPerson, type Person } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({}, { sendsMail: false })
let person: Person
let jobKey: Key
let later = 0
beforeEach(async () => {
  later += 2 * 60 * 60_000
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + later })
  person = await addPerson(service, { email: `${randomUUID()}@example.com` })
  const body = { username: person.user.username }
  expect((await service.client('POST', '/api/2/auth/reset-password/request', { body })).status).toBe(204)
  const waiting = await findWaitingEntries(service.services.table)
  jobKey = waiting.at(-1) ?? { pk: '', sk: '' }
})
afterEach(() => vi.useRealTimers())

/** Delivers the stream record of the job. Returns whether the mailer is done with it. */
const deliver = async (remainingMs?: number): Promise<boolean> => {
  const record = {
    dynamodb: { SequenceNumber: '1', Keys: { pk: { S: jobKey.pk }, sk: { S: jobKey.sk } } },
  }
  // Imported late, because the mailer reads its environment once, and the test service sets it.
  const { handler } = await import('../../functions/mailer/index.ts')
  const context = remainingMs === undefined ? undefined : { getRemainingTimeInMillis: () => remainingMs }
  return (await handler({ Records: [record] }, context)).batchItemFailures.length === 0
}
const mails = () => service.mailbox.mailsTo(person.user.email).length
const setField = (name: string, value: unknown) =>
  service.services.table.update(jobKey, (x) => ({ set: [`${x.path(name)} = ${x.value(value)}`] }))
/** A record with another type of name makes every email to its user fail. */
const setUsername = (username: unknown) =>
  service.services.table.update(userKey(person.user.id), (x) => ({
    set: [`${x.path('username')} = ${x.value(username)}`],
  }))
/** The only job of this user. */
const findJobOfPerson = async (): Promise<Key> => {
  const { table } = service.services
  for (const key of await findWaitingEntries(table)) {
    const job = JSON.stringify(await table.get(key))
    if (job.includes(person.user.username)) return key
  }
  throw new Error('there is no job')
}
const setTime = (name: string, agoMs = 0) =>
  service.services.table.update(jobKey, (x) => ({
    set: [`${x.path(name)} = ${x.value(Date.now() - agoMs)}`],
  }))
/** A mailer that was killed while it sent the email leaves this behind. */
const stopWhileSending = async () => {
  await setTime('takenAt')
  await setTime('sendingAt')
}
const readOutcomes = async (event: string): Promise<readonly unknown[]> => {
  const now = Date.now()
  const filter = {
    ...{ user: person.user.id, events: new Set([event]), nowMs: now },
    ...{ sinceMs: now - 60 * 60_000, untilMs: now + 1 },
  }
  const request = { skip: 0, limit: 10, isDescending: true }
  const { rows } = await readAuditPage(service.services.table, filter, request)
  // Events of the same millisecond have no order.
  return rows.map(({ row }) => row.outcome).sort()
}

describe('a mail job', () => {
  it('is processed once, even if it is delivered again', async () => {
    expect([await deliver(), await deliver()]).toEqual([true, true])
    expect(mails()).toBe(1)
  })

  it('is processed once by ten concurrent mailers', async () => {
    await Promise.all(Array.from({ length: 10 }, () => deliver()))
    expect(await deliver()).toBe(true)
    expect(mails()).toBe(1)
  })

  it('that a mailer claimed but did not send is sent by another one after the claim expires', async () => {
    await setTime('takenAt')
    expect(await deliver()).toBe(false)
    expect(mails()).toBe(0)
    vi.setSystemTime(Date.now() + 91_000)
    expect(await deliver()).toBe(true)
    expect(mails()).toBe(1)
  })

  it('is not abandoned by quick retries after a mailer has stopped, because each waits for the claim', async () => {
    vi.useRealTimers()
    await setTime('takenAt', 88_900)
    expect(await deliver(20_000)).toBe(false)
    expect(await deliver(25_000)).toBe(true)
    expect(mails()).toBe(1)
  })

  it('that a stopped mailer claimed waits for the next one in local mode', async () => {
    const findJob = async () =>
      (await findWaitingEntries(service.services.table)).find(({ sk }) => sk === jobKey.sk)
    await setTime('takenAt')
    expect(await findJob()).toBeUndefined()
    vi.setSystemTime(Date.now() + 91_000)
    expect(await findJob()).toEqual(jobKey)
    await setTime('sendingAt')
    expect(await findJob()).toEqual(jobKey)
  })

  it('keeps the link that the second mailer sent if the first one continues too late', async () => {
    const { services } = service
    const stalled = await takeEntry(services.table, jobKey, Date.now())
    if (!stalled || stalled === 'busy' || 'interrupted' in stalled || stalled.job?.kind !== 'password_reset')
      throw new Error('the job was not taken')
    vi.setSystemTime(Date.now() + 91_000)
    expect(await deliver()).toBe(true)
    await expect(prepareResetEmail(services, stalled, stalled.job)).rejects.toBeInstanceOf(EntryLost)
    const { text } = await service.mailbox.mailTo(person.user.email)
    const body = { token: /#token=(\S+)/.exec(text)?.[1], password: 'the password of the owner' }
    expect((await service.client('POST', '/api/2/auth/reset-password', { body })).status).toBe(204)
  })

  it('whose mailer stopped while it sent is sent once more after the claim, and an event says so', async () => {
    await stopWhileSending()
    expect(await deliver()).toBe(false)
    vi.setSystemTime(Date.now() + 91_000)
    expect([await deliver(), await deliver()]).toEqual([true, true])
    expect(mails()).toBe(1)
    expect(await readOutcomes('password.reset_sent')).toEqual(['succeeded', 'unknown'])
    expect(service.log.join()).toContain('mail.interrupted')
  })

  it('whose second mailer stopped as well ends with an event and a metric', async () => {
    await stopWhileSending()
    await setField('interruptions', 1)
    vi.setSystemTime(Date.now() + 91_000)
    expect(await deliver()).toBe(true)
    expect(mails()).toBe(0)
    expect(await service.services.table.get(jobKey)).toBeUndefined()
    expect(await readOutcomes('password.reset_sent')).toEqual(['unknown'])
    expect(service.log.at(-1)).toContain('"MailUnknown":1')
  })

  it.each<[string, (user: Person['user']) => object]>([
    ['to sign in', ({ username: name }) => ({ kind: 'sign_in_code', name })],
    ['to join', ({ id }) => ({ kind: 'organization_join_code', userId: id, invitationId: 1, mailId: 'm' })],
  ])('with a code %s is not sent again if its mailer stopped', async (_, describeJob) => {
    await setField('job', { ...describeJob(person.user), requestHash: 'h', salt: 's' })
    await stopWhileSending()
    vi.setSystemTime(Date.now() + 91_000)
    expect(await deliver()).toBe(true)
    expect(mails()).toBe(0)
    expect(await readOutcomes('email_code.sent')).toEqual(['unknown'])
  })

  it('with a notice is sent once more, and given up with an event the second time', async () => {
    const { id: userId, email } = person.user
    const job = { kind: 'security_notice', userId, change: 'password_changed', email, at: Date.now() }
    await setField('job', { ...job, by: 'service', device: {} })
    await stopWhileSending()
    vi.setSystemTime(Date.now() + 91_000)
    const stored = (await service.services.table.get(jobKey)) ?? jobKey
    expect(await deliver()).toBe(true)
    expect(mails()).toBe(1)
    await service.services.table.transact([{ put: { ...stored, interruptions: 1 } }])
    expect(await deliver()).toBe(true)
    expect(mails()).toBe(1)
    expect(await readOutcomes('mail.given_up')).toEqual(['unknown'])
  })

  it('that a mailer with a wrong clock claimed is sent', async () => {
    await setTime('takenAt', -30 * 24 * 60 * 60_000)
    expect((await findWaitingEntries(service.services.table)).map(({ sk }) => sk)).toContain(jobKey.sk)
    expect(await deliver()).toBe(true)
    expect(mails()).toBe(1)
  })

  it('contains the language of the request, but not its header', async () => {
    const body = { username: person.user.username }
    const headers = { 'accept-language': 'nn-NO;q=0.9,x-secret' }
    await service.client('POST', '/api/2/auth/reset-password/request', { body, headers })
    // The clock stands still, so both jobs have the same time.
    const newest = (await findWaitingEntries(service.services.table)).slice(-2)
    const item = await service.services.table.get(newest.find(({ sk }) => sk !== jobKey.sk) ?? jobKey)
    expect(item).toMatchObject({ language: 'nb' })
    expect(JSON.stringify(item)).not.toMatch(/nn-NO|x-secret/)
  })

  it.each(['__proto__', 'constructor', 7, null, { en: 'en' }])(
    'with the language %j is sent in English',
    async (language) => {
      await setField('language', language)
      await setField('address', ['203.0.113.7'])
      await setField('requestId', null)
      await setField('actor', 'someone')
      expect(await deliver()).toBe(true)
      const { subject } = await service.mailbox.mailTo(person.user.email)
      expect(subject).toBe('Choose a new password for Latchkey')
    },
  )

  it.each([undefined, 'constructor', [], {}, { kind: '__proto__' }, { kind: 'password_reset', email: 7 }])(
    'whose content is %j ends with an audit event and a metric, and holds up no other one',
    async (job) => {
      await setField('job', job ?? null)
      expect(await deliver()).toBe(true)
      expect(mails()).toBe(0)
      expect(await service.services.table.get(jobKey)).toBeUndefined()
      expect(service.log.at(-1)).toContain('"MailGivenUp":1')
    },
  )

  it('sends a reset link to no other mailbox than that of a report', async () => {
    const { id, email } = person.user
    await setField('job', { kind: 'password_reset', userId: id, to: { email } })
    expect(await deliver()).toBe(true)
    expect(mails()).toBe(0)
  })

  it('that fails goes behind all others, is given up after ten attempts, and makes no link', async () => {
    await setUsername(7)
    for (let failures = 1; failures < 10; failures++) {
      const before = jobKey
      expect(await deliver()).toBe(true)
      expect(await service.services.table.get(before)).toBeUndefined()
      jobKey = await findJobOfPerson()
      expect(await service.services.table.get(jobKey)).toMatchObject({ failures })
    }
    expect(await deliver()).toBe(true)
    await expect(findJobOfPerson()).rejects.toThrow('no job')
    expect(await service.services.table.get(userKey(person.user.id))).not.toHaveProperty('resetEpoch')
    expect(service.log.at(-1)).toContain('mail.given_up')
  })

  it('that failed is sent as soon as its email can be made', async () => {
    await setUsername(7)
    expect(await deliver()).toBe(true)
    jobKey = await findJobOfPerson()
    await setUsername(person.user.username)
    expect(await deliver()).toBe(true)
    expect(mails()).toBe(1)
  })

  it.each([
    ['is unavailable', 503, 'ServiceUnavailable', false],
    ['rejects this email', 400, 'MessageRejected', true],
  ])('ends no earlier link if the email service %s', async (_, status, code, isDone) => {
    expect(await deliver()).toBe(true)
    const { text } = await service.mailbox.mailTo(person.user.email)
    await service.client('POST', '/api/2/auth/reset-password/request', {
      body: { username: person.user.username },
    })
    jobKey = await findJobOfPerson()
    service.mailbox.failNext(1, status, code)
    expect(await deliver()).toBe(isDone)
    expect(mails()).toBe(1)
    const body = { token: /#token=(\S+)/.exec(text)?.[1], password: 'the password of the owner' }
    expect((await service.client('POST', '/api/2/auth/reset-password', { body })).status).toBe(204)
  })

  it('without a language is sent in English', async () => {
    expect(await service.services.table.get(jobKey)).not.toHaveProperty('language')
    expect(await deliver()).toBe(true)
    const { subject } = await service.mailbox.mailTo(person.user.email)
    expect(subject).toBe('Choose a new password for Latchkey')
  })

  it('expires after a day', async () => {
    vi.setSystemTime(Date.now() + 25 * 60 * 60_000)
    expect(await deliver()).toBe(true)
    expect(mails()).toBe(0)
  })
})
