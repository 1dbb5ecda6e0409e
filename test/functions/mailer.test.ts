import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { prepareResetEmail } from '../../functions/mailer/reset-email.ts'
import type { Key } from '../../lib/store/engine/keys.ts'
import { EntryLost, findWaitingEntries, takeEntry } from '../../lib/store/records/outbox.ts'
import { addPerson, type Person } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let person: Person
let jobKey: Key
beforeAll(async () => {
  service = await startService({}, { sendsMail: false })
})
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
afterEach(() => {
  vi.useRealTimers()
})
afterAll(() => service.close())

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
const setTime = (name: string, agoMs = 0) =>
  service.services.table.update(jobKey, (x) => ({
    set: [`${x.path(name)} = ${x.value(Date.now() - agoMs)}`],
  }))

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
    expect(await findJob()).toBeUndefined()
  })

  it('keeps the link that the second mailer sent if the first one continues too late', async () => {
    const { services } = service
    const stalled = await takeEntry(services.table, jobKey, Date.now())
    if (!stalled || stalled === 'busy' || stalled.job.kind !== 'password_reset')
      throw new Error('the job was not taken')
    vi.setSystemTime(Date.now() + 91_000)
    expect(await deliver()).toBe(true)
    await expect(prepareResetEmail(services, stalled, stalled.job)).rejects.toBeInstanceOf(EntryLost)
    const { text } = await service.mailbox.mailTo(person.user.email)
    const body = { token: /#token=(\S+)/.exec(text)?.[1], password: 'the password of the owner' }
    expect((await service.client('POST', '/api/2/auth/reset-password', { body })).status).toBe(204)
  })

  it('that a mailer may have sent is not sent again', async () => {
    await setTime('takenAt')
    await setTime('sendingAt')
    vi.setSystemTime(Date.now() + 91_000)
    expect(await deliver()).toBe(true)
    expect(mails()).toBe(0)
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
