import { requireFound } from '../../../kernel/errors/errors.ts'
import type { Table } from '../../../kernel/table/table.ts'
import type { ConnectionContext } from '../connection-context.ts'
import { findSamlConnection, type SamlConnection } from './records.ts'

/** The context of a request that concerns one SAML provider. */
export type SamlContext = ConnectionContext<SamlConnection>

/** @throws AppError `not_found` when there is no SAML provider with this ID */
export const requireProvider = async (table: Table, id: number): Promise<SamlConnection> =>
  requireFound(await findSamlConnection(table, id), 'connection')
