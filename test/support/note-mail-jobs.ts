import { outboxPartitions } from '../../lib/kernel/table/keys/job-keys.ts'
import { TableClient } from '../../lib/kernel/table/table-client.ts'
import type { JsonValue } from './client.ts'

type Send = TableClient['send']

/** Whether a table call adds a mail job. */
const addsMailJob = ({ Item, TransactItems = [] }: JsonValue): boolean =>
  outboxPartitions.includes(Item?.pk) ||
  TransactItems.some(({ Put }: JsonValue) => outboxPartitions.includes(Put?.Item.pk))

/**
 * Notes when this process adds a mail job to a table. Searching the partitions of the outbox after each request would be
 * about half of all table calls of the tests.
 */
export const noteMailJobs = (): { readonly take: () => boolean } => {
  let wasAdded = false
  const { send } = TableClient.prototype
  Object.defineProperty(TableClient.prototype, 'send', {
    // Tests can observe calls as well.
    configurable: true,
    writable: true,
    async value(this: TableClient, ...given: Parameters<Send>) {
      try {
        return await Reflect.apply(send, this, given)
      } finally {
        // A call can also fail after the table did the work.
        if (addsMailJob(given[1])) wasAdded = true
      }
    },
  })
  return {
    /** Whether a mail job was added since the last call of this function. */
    take: () => {
      const isWaiting = wasAdded
      wasAdded = false
      return isWaiting
    },
  }
}
