import type { Services } from '../../lib/services.ts'
import { isGuestUser } from '../../lib/store/directory/guest-state.ts'
import type { UserRecord } from '../../lib/store/directory/user-record.ts'
import { findUsers } from '../../lib/store/directory/users.ts'
import { getListing, readEntries } from '../../lib/store/engine/listing.ts'
import { retryThrottled } from '../retry-throttled.ts'

/** One batch read returns at most this many users. */
const pageSize = 100

/** All users in the order of their IDs, page by page. */
export async function* readAllUsers({ table }: Services): AsyncGenerator<readonly UserRecord[]> {
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
