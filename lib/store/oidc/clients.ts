import { ConflictError } from '../../errors/errors.ts'
import type { Update } from '../engine/expressions.ts'
import { findRecord } from '../engine/read-records.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { wasCommitted } from '../engine/transaction-errors.ts'
import {
  allocateId,
  createWithId,
  deleteUniqueNameRecord,
  type NewUniqueNameRecord,
} from '../engine/unique-name-records.ts'
import { oidcClientCountKey, oidcClientKey } from '../keys/oidc-keys.ts'
import { readClientId } from './client-id.ts'
import { type OidcClient, oidcClientKind } from './oidc-client-record.ts'

/** Finds a client by its identifier. Takes one table call, or none if the text cannot be an identifier. */
export const findOidcClient = async (table: Table, clientId: string): Promise<OidcClient | undefined> => {
  const id = readClientId(clientId)
  const client = id === undefined ? undefined : await findOidcClientById(table, id)
  return client?.clientId === clientId ? client : undefined
}

export const findOidcClientById = (table: Table, id: number): Promise<OidcClient | undefined> =>
  findRecord(table, oidcClientKind.codec, oidcClientKind.keyOf(id))

export const allocateOidcClientId = (table: Table): Promise<number> => allocateId(table, oidcClientKind.name)

/**
 * Creates a client with an ID from `allocateOidcClientId`.
 *
 * @throws ConflictError `too_many_oidc_clients` if there are `limit` clients
 * @throws NameTaken if another client has the name.
 */
export const createOidcClient = (
  table: Table,
  id: number,
  fields: NewUniqueNameRecord<OidcClient>,
  { limit, extraSteps }: { readonly limit: number; readonly extraSteps: readonly Step[] },
): Promise<OidcClient> => {
  const increaseCount: Update = (x) => {
    const path = x.path('count')
    return {
      set: [`${path} = if_not_exists(${path}, ${x.value(0)}) + ${x.value(1)}`],
      condition: `attribute_not_exists(${path}) OR ${path} < ${x.value(limit)}`,
    }
  }
  const countStep: Step = {
    update: oidcClientCountKey,
    changes: increaseCount,
    orElse: () => new ConflictError('too_many_oidc_clients', `there are ${limit} clients`),
  }
  return createWithId(table, oidcClientKind, { id, fields, extraSteps: [countStep, ...extraSteps] })
}

/** Deletes a client. Its grants end at the same moment. @throws EditConflict if it was changed since it was read. */
export const deleteOidcClient = (
  table: Table,
  client: OidcClient,
  extraSteps: readonly Step[],
): Promise<void> => {
  const decreaseCount: Update = (x) => ({
    set: [`${x.path('count')} = ${x.path('count')} - ${x.value(1)}`],
  })
  return deleteUniqueNameRecord(table, oidcClientKind, client, [
    { update: oidcClientCountKey, changes: decreaseCount },
    ...extraSteps,
  ])
}

/** Removes the secret of a client, if it still is the one with this hash. Returns whether it was. */
export const removeOidcClientSecret = (
  table: Table,
  { id, version }: OidcClient,
  hash: string,
  extraSteps: readonly Step[],
): Promise<boolean> => {
  const changes: Update = (x) => ({
    set: [`${x.path('secretHash')} = ${x.value(null)}`, `${x.path('version')} = ${x.value(version + 1)}`],
    condition: `${x.path('secretHash')} = ${x.value(hash)} AND ${x.path('version')} = ${x.value(version)}`,
  })
  return wasCommitted(table.transact([{ update: oidcClientKey(id), changes }, ...extraSteps]))
}
