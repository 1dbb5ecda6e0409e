import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import {
  editOidcConnection,
  type OidcConnectionRecord,
  oidcConnectionKind,
  readOidcConnections,
} from './oidc/records.ts'
import type { ConnectionRules } from './rules.records.ts'
import {
  editSamlProvider,
  readSamlProviders,
  type SamlProviderRecord,
  samlProviderKind,
} from './saml/records.ts'

/*
 * A company connection is a SAML provider or an OpenID Connect connection. Their IDs are from one sequence. So an ID alone
 * names a connection in the items of accounts, domains and sessions, which both kinds share.
 */

export type ConnectionRecord = SamlProviderRecord | OidcConnectionRecord

/** Finds the connection with an ID, of either kind, in one call. */
export const findConnection = async (table: Table, id: number): Promise<ConnectionRecord | undefined> => {
  const [saml, oidc] = await table.getMany([samlProviderKind.keyOf(id), oidcConnectionKind.keyOf(id)])
  return samlProviderKind.codec.decodeOptional(saml) ?? oidcConnectionKind.codec.decodeOptional(oidc)
}

/** The connections with these IDs, in their order, to show them. Missing and unreadable ones are undefined. */
export const readConnections = async (
  table: Table,
  ids: readonly number[],
): Promise<readonly (ConnectionRecord | undefined)[]> => {
  const saml = await readSamlProviders(table, ids)
  const others = ids.filter((_, at) => saml[at] === undefined)
  if (others.length === 0) return saml
  const oidc = await readOidcConnections(table, others)
  return ids.map((id, at) => saml[at] ?? oidc[others.indexOf(id)])
}

/** Changes a connection as it was read, of either kind. @throws EditConflict if it was changed or deleted since */
export const editConnection = (
  table: Table,
  connection: ConnectionRecord,
  changes: Partial<Pick<ConnectionRecord, 'domains'> & ConnectionRules>,
  extraSteps: readonly Step[],
): Promise<ConnectionRecord> =>
  'kind' in connection
    ? editOidcConnection(table, connection, changes, extraSteps)
    : editSamlProvider(table, connection, changes, extraSteps)
