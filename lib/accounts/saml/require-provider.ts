import { requireFound } from '../../errors/errors.ts'
import { type ConnectionRecord, findConnection } from '../../store/connections/connections.ts'
import type { Table } from '../../store/engine/table.ts'
import { findSamlProvider, type SamlProviderRecord } from '../../store/saml/saml-providers.ts'

/** @throws AppError `not_found` when there is no SAML provider with this ID */
export const requireProvider = async (table: Table, id: number): Promise<SamlProviderRecord> =>
  requireFound(await findSamlProvider(table, id))

/** @throws AppError `not_found` when there is no company connection of either kind with this ID */
export const requireConnection = async (table: Table, id: number): Promise<ConnectionRecord> =>
  requireFound(await findConnection(table, id))
