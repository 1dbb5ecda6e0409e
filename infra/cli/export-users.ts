import type { Services } from '../../lib/services.ts'
import { findGroups } from '../../lib/store/directory/groups.ts'
import { findUsers } from '../../lib/store/directory/users.ts'
import { byId, readPlaces } from '../../lib/store/engine/listing.ts'
import type { UserRecord } from '../../lib/store/records/user-record.ts'
import { exportedLine, exportedSecrets } from './exported-line.ts'
import { retryThrottled } from './retry-throttled.ts'

/** Users that are read at a time: as many as the table gives in one call. */
const pageSize = 100

/**
 * All users, in order of id, each as a line of JSON. Costs memory for a page. Who was added in the last moments may
 * be missing: the list lags behind the table a little.
 */
export async function* exportUsers(services: Services, withSecrets: boolean): AsyncGenerator<string> {
  const groupNames = new Map<number, string>()
  for await (const users of pagesOfUsers(services)) {
    const unknown = [...new Set(users.flatMap(({ groups }) => groups))].filter((id) => !groupNames.has(id))
    for (const { id, name } of await retryThrottled(() => findGroups(services.table, unknown)))
      groupNames.set(id, name)
    const secrets = await Promise.all(
      users.map((user) => (withSecrets ? retryThrottled(() => exportedSecrets(services, user)) : {})),
    )
    for (const [at, user] of users.entries())
      yield `${JSON.stringify({ ...exportedLine(user, groupNames), ...secrets[at] })}\n`
  }
}

async function* pagesOfUsers({ table }: Services): AsyncGenerator<readonly UserRecord[]> {
  let after: string | undefined
  for (;;) {
    const page = { after, limit: pageSize, isDescending: false }
    const places = await retryThrottled(() => readPlaces(table, byId('user'), page))
    const ids = places.map(({ place }) => Number(place))
    const users = await retryThrottled(() => findUsers(table, ids))
    yield users.filter((user) => user !== undefined)
    if (places.length < pageSize) return
    after = places.at(-1)?.place
  }
}
