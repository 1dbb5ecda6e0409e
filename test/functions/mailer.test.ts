import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { outboxPartition } from '../../lib/store/engine/keys.ts'
import { findWaitingEntries } from '../../lib/store/records/outbox.ts'
import { addPerson, type Person } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let person: Person
let place: string
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
  place = waiting.at(-1) ?? ''
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(() => service.close())

/** What the stream brings; whether the mailer is done with it. */
const bring = async (): Promise<boolean> => {
  const record = { dynamodb: { SequenceNumber: '1', Keys: { pk: { S: outboxPartition }, sk: { S: place } } } }
  // It reads its environment once, which the service of this test has set.
  const { handler } = await import('../../functions/mailer/index.ts')
  return (await handler({ Records: [record] })).batchItemFailures.length === 0
}
const mails = () => service.mailbox.mails.filter(({ to }) => to.includes(person.user.email ?? '')).length
const note = (name: string) =>
  service.services.table.update({ pk: outboxPartition, sk: place }, (x) => ({
    set: [`${x.path(name)} = ${x.value(Date.now())}`],
  }))

describe('an errand', () => {
  it('is carried out once, however often it is brought', async () => {
    expect([await bring(), await bring()]).toEqual([true, true])
    expect(mails()).toBe(1)
  })

  it('is carried out once by ten mailers at the same moment', async () => {
    await Promise.all(Array.from({ length: 10 }, () => bring()))
    expect(await bring()).toBe(true)
    expect(mails()).toBe(1)
  })

  it('of a mailer that perished before it sent is brought again until somebody else may have it', async () => {
    await note('takenAt')
    expect(await bring()).toBe(false)
    expect(mails()).toBe(0)
    vi.setSystemTime(Date.now() + 91_000)
    expect(await bring()).toBe(true)
    expect(mails()).toBe(1)
  })

  it('of a mailer that perished while it sent is left: nobody gets the same mail twice', async () => {
    await note('takenAt')
    await note('sendingAt')
    vi.setSystemTime(Date.now() + 91_000)
    expect(await bring()).toBe(true)
    expect(mails()).toBe(0)
  })

  it('is over after a day', async () => {
    vi.setSystemTime(Date.now() + 25 * 60 * 60_000)
    expect(await bring()).toBe(true)
    expect(mails()).toBe(0)
  })
})
