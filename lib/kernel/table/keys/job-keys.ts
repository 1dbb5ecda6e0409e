import type { Key } from './keys.ts'
import { getShard, partitions } from './partitions.ts'

/** A mail job takes about 10 write units. */
const outboxShards = 8
/** The partitions with mail jobs. Each has its jobs in order of time. */
export const outboxPartitions: readonly string[] = Array.from(
  { length: outboxShards },
  (_, shard) => `${partitions.outbox}${shard}`,
)
export const outboxKey = (sk: string): Key => ({
  pk: `${partitions.outbox}${getShard(sk, outboxShards)}`,
  sk,
})
/** A logout job takes about 8 write units. */
const logoutJobShards = 8
export const logoutJobPrefix = 'logout-job#'
/** The partitions with logout jobs. */
export const logoutJobPartitions: readonly string[] = Array.from(
  { length: logoutJobShards },
  (_, shard) => `${partitions.logoutJobs}${shard}`,
)
export const logoutJobKey = (id: string): Key => ({
  pk: `${partitions.logoutJobs}${getShard(id, logoutJobShards)}`,
  sk: `${logoutJobPrefix}${id}`,
})
