import type { CallBody } from '../../lib/kernel/table/call-body.ts'
import { membershipPrefix } from '../../lib/kernel/table/keys/organization-keys.ts'
import { partitions } from '../../lib/kernel/table/keys/partitions.ts'
import type { JsonValue } from './client.ts'

/*
 * No record of an organization, and no membership, changes without a trace: the same write stores an audit event that names the
 * organization. This looks at the writes of all tests, so nobody has to think of it.
 */

/** A write of an item: what it has afterwards, if the write says it all, and its key. */
interface Write {
  readonly pk: string
  readonly sk: string
  readonly item: JsonValue | undefined
}

const readWrites = (action: string, input: JsonValue): readonly Write[] => {
  const steps: readonly JsonValue[] =
    action === 'TransactWriteItems'
      ? input.TransactItems
      : [
          action === 'PutItem' ? { Put: input } : {},
          action === 'UpdateItem' ? { Update: input } : {},
          action === 'DeleteItem' ? { Delete: input } : {},
        ]
  return steps.flatMap(({ Put, Update, Delete }) => {
    const { pk, sk } = Put?.Item ?? Update?.Key ?? Delete?.Key ?? {}
    return pk === undefined ? [] : [{ pk, sk, item: Put?.Item }]
  })
}

/** Writes that change nothing for people: counts of warnings, and the item in the order of time. */
const isQuiet = (action: string): boolean => action === 'UpdateItem'

/** Later writes of a connection do not repeat its organization: those name it in one place, `lib/features/connections/records.ts`. */
const findOrganization = ({ pk, sk, item }: Write): number | undefined => {
  if (pk.startsWith(partitions.user) && sk.startsWith(membershipPrefix))
    return Number(sk.slice(membershipPrefix.length))
  return pk.startsWith(partitions.connection) && sk === 'connection'
    ? (item?.organization_id ?? undefined)
    : undefined
}

/** Collects changes that leave no trace in their organization. */
export const watchOrganizationTraces = () => {
  const missing = new Set<string>()
  return {
    noteAs:
      (name: string) =>
      (action: string, input: CallBody): void => {
        if (isQuiet(action)) return
        const writes = readWrites(action, input)
        const events = writes.filter(({ pk }) => pk.startsWith(partitions.audit))
        for (const write of writes) {
          const organization = findOrganization(write)
          if (organization === undefined) continue
          if (!events.some(({ item }) => item?.organization === organization))
            missing.add(`${name} changes ${write.pk} ${write.sk}`)
        }
      },
    /** @throws Error that lists them. */
    verify: (): void => {
      if (missing.size > 0)
        throw new Error(`changes without an event of their organization:\n${[...missing].sort().join('\n')}`)
    },
  }
}
