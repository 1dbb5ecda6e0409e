import { conflict } from '../../kernel/errors/errors.ts'
import { connectionsPerOrganization } from '../../kernel/limits/connection-limits.ts'
import { isAbsent } from '../../kernel/table/expressions.ts'
import {
  organizationConnectionKey,
  organizationConnectionsPartition,
  placePrefix,
} from '../../kernel/table/keys/organization-keys.ts'
import { createCodec, decodeListed } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { EditConflict, type Step } from '../../kernel/table/transaction.ts'

/*
 * An organization has a few places for connections. Each connection takes one, so that one call lists all of an organization, and their
 * number is limited without a counter.
 */

interface TakenPlace {
  readonly place: number
  readonly connection: number
}

const codec = createCodec<TakenPlace>('connection of an organization', {
  place: 'number',
  connection: 'number',
})

const readPlaces = async (table: Table, organizationId: number): Promise<readonly TakenPlace[]> =>
  decodeListed(table, codec, await table.list(organizationConnectionsPartition(organizationId), placePrefix))

/** The IDs of the connections of an organization, in order. */
export const listConnectionIds = async (table: Table, organizationId: number): Promise<readonly number[]> =>
  (await readPlaces(table, organizationId)).map(({ connection }) => connection).sort((a, b) => a - b)

/** @throws AppError `conflict` if the organization has no free place */
export const chooseFreePlace = async (table: Table, organizationId: number): Promise<number> => {
  const taken = new Set((await readPlaces(table, organizationId)).map(({ place }) => place))
  const free = Array.from({ length: connectionsPerOrganization }, (_, at) => at).filter(
    (at) => !taken.has(at),
  )
  // Those who ask at the same moment rarely get the same one.
  const place = free[Math.floor(Math.random() * free.length)]
  if (place === undefined)
    throw conflict(
      `The organization has ${connectionsPerOrganization} connections. Delete one that is no longer used.`,
    )
  return place
}

/** Takes a place. Fails with `EditConflict` if another connection was first. */
export const buildPlaceStep = (organizationId: number, place: number, connection: number): Step => ({
  put: { ...organizationConnectionKey(organizationId, place), ...codec.encode({ place, connection }) },
  condition: isAbsent,
  orElse: () => new EditConflict(),
})
