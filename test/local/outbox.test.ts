import { randomUUID } from 'node:crypto'
import { afterEach, expect, it, vi } from 'vitest'
import { buildDropStep, buildOutboxStep } from '../../lib/accounts/outbox/outbox.records.ts'
import { createServices } from '../../lib/services.ts'
import { createTable } from '../../local/dynamodb.ts'
import { type Outbox, startOutbox } from '../../local/outbox.ts'
import { useService } from '../support/use-service.ts'

await useService({}, { sendsMail: false })
let outbox: Outbox | undefined
afterEach(() => outbox?.close())

it('delivers an email again until it succeeds, and reports it once in between', async () => {
  const table = await createJobTable()
  const failures: string[] = []
  let deliveries = 0
  outbox = startOutbox({
    table,
    retryAfterMs: 1,
    deliver: async ({ Records: [record] }) => {
      deliveries += 1
      if (deliveries < 9) return { batchItemFailures: [{ itemIdentifier: '1' }] }
      const { pk, sk } = record?.dynamodb?.Keys ?? {}
      await table.transact([buildDropStep({ pk: pk?.S ?? '', sk: sk?.S ?? '' })])
      return { batchItemFailures: [] }
    },
    onFailure: (reason) => failures.push(reason),
  })
  outbox.poke()
  await vi.waitFor(() => expect(deliveries).toBe(9), { timeout: 10_000 })
  expect(failures).toEqual([
    expect.stringMatching(/^The email mail-job#\S+ could not be sent after 5 attempts\. It is tried again/),
  ])
})

it('pauses longer after each failure, however often it is poked', async () => {
  const table = await createJobTable()
  let deliveries = 0
  outbox = startOutbox({
    table,
    retryAfterMs: 60_000,
    deliver: async () => {
      deliveries += 1
      return { batchItemFailures: [{ itemIdentifier: '1' }] }
    },
  })
  outbox.poke()
  await vi.waitFor(() => expect(deliveries).toBe(1))
  outbox.poke()
  await outbox.close()
  expect(deliveries).toBe(1)
})

/** Creates a table with one mail job. */
const createJobTable = async () => {
  const tableName = `latchkey-${randomUUID()}`
  const endpoint = process.env['DYNAMODB_ENDPOINT'] ?? ''
  await createTable(endpoint, tableName)
  const { table } = createServices({ ...process.env, TABLE_NAME: tableName })
  const origin = { requestId: randomUUID(), address: '203.0.113.7', actor: null }
  await table.transact([buildOutboxStep({ kind: 'password_reset', username: 'maria' }, origin, Date.now())])
  return table
}
