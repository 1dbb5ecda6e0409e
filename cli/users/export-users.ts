import type { Services } from '../../lib/services.ts'
import { findGroups } from '../../lib/store/directory/groups.ts'
import { isGuestUser } from '../../lib/store/directory/guest-state.ts'
import type { UserRecord } from '../../lib/store/directory/user-record.ts'
import { findUsers } from '../../lib/store/directory/users.ts'
import { getListing, readEntries } from '../../lib/store/engine/listing.ts'
import { retryThrottled } from '../retry-throttled.ts'
import { readSecrets, toExportLine } from './export-line.ts'

/** One batch read returns at most this many users. */
const pageSize = 100

/**
 * All users in the order of their IDs, each as a line of JSON. It holds one page in memory. Users created in the
 * last moments may be missing, because the list index lags behind the table.
 */
export async function* exportUsers(services: Services, withSecrets: boolean): AsyncGenerator<string> {
  const groupNames = new Map<number, string>()
  for await (const users of pagesOfUsers(services)) {
    const unknown = [...new Set(users.flatMap(({ groups }) => groups))].filter((id) => !groupNames.has(id))
    for (const { id, name } of await retryThrottled(() => findGroups(services.table, unknown)))
      groupNames.set(id, name)
    const secrets = await Promise.all(
      users.map((user) => (withSecrets ? retryThrottled(() => readSecrets(services, user)) : {})),
    )
    for (const [at, user] of users.entries())
      yield `${JSON.stringify({ ...toExportLine(user, groupNames), ...secrets[at] })}\n`
  }
}

async function* pagesOfUsers({ table }: Services): AsyncGenerator<readonly UserRecord[]> {
  let after: string | undefined
  for (;;) {
    const page = { after, limit: pageSize, isDescending: false }
    const entries = await retryThrottled(() => readEntries(table, getListing('user', 'id'), page))
    const ids = entries.map(({ indexKey }) => Number(indexKey))
    const users = await retryThrottled(() => findUsers(table, ids))
    // Guests belong to access links, which are not exported.
    yield users.flatMap((user) => (user && !isGuestUser(user) ? [user] : []))
    if (entries.length < pageSize) return
    after = entries.at(-1)?.indexKey
  }
}
