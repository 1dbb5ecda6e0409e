import { thingKinds } from '../../kernel/contract/managed-kinds.ts'
import type { Services } from '../../services.ts'
import { thingLists } from './document.models.ts'
import type { Outputs } from './kind.part.ts'
import { things } from './kinds.part.ts'
import { listManaged } from './managed.records.ts'

/** Outputs by the list of a document and the key of a thing: `{ clients: { web: { client_id } } }`. */
export type OutputsByKey = Readonly<Record<string, Readonly<Record<string, Outputs>>>>

/** What the service chose for the things of an owner, and their products need. Secrets are not part of it. */
export const readOutputs = async (services: Services, owner: string): Promise<OutputsByKey> => {
  const managed = await listManaged(services.table)
  const lists: Record<string, Record<string, Outputs>> = {}
  for (const kind of thingKinds) {
    const own = managed.filter((one) => one.kind === kind && one.owner === owner && !one.deletedAt)
    const found = await things[kind].read(
      services,
      own.map(({ id }) => id),
    )
    const entries = own.flatMap(({ key }, at) => {
      const { outputs = {} } = found[at] ?? {}
      return Object.keys(outputs).length === 0 ? [] : [[key, outputs] as const]
    })
    if (entries.length > 0) lists[thingLists[kind]] = Object.fromEntries(entries)
  }
  return lists
}
