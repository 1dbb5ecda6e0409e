import { readPageRequest, toListReply } from '../../../http/paging.ts'
import type { UseCase } from '../../../http/use-case.ts'
import { toBody } from '../../../kernel/contract/projection.ts'
import type { Config } from '../../../kernel/settings/config.ts'
import { mapRows } from '../../../kernel/table/listing.ts'
import { applyBody, connectionDefaults } from '../connection-fields.ts'
import { readConnectionPage, storeNewConnection } from '../edit-connections.ts'
import { allocateConnectionId } from '../records.ts'
import { removeConnection } from '../remove-connection.part.ts'
import { getLoginUrl } from '../retry-path.ts'
import { ToyConnection as ToyBody } from './models.ts'
import type { toyConnections } from './operations.ts'
import { getSharedKeyContext } from './protocol.ts'
import { type ToyConnection, toyKind } from './records.ts'

const toToyBody = (config: Config, connection: ToyConnection): ToyBody =>
  toBody<ToyBody>(ToyBody.shape, { ...connection, login_url: getLoginUrl(config, connection) })

export const listToyConnections: UseCase<typeof toyConnections.listToyConnections> = async (
  request,
  { table, config },
) => {
  const { field } = request.query.ordering
  const found = await readConnectionPage(table, toyKind, field, readPageRequest(request))
  const page = await mapRows(found, async (rows) => rows.map((row) => toToyBody(config, row)))
  return { status: 200, ...toListReply(request, config, page) }
}

export const createToyConnection: UseCase<typeof toyConnections.createToyConnection> = async (
  { body, context },
  services,
) => {
  const id = await allocateConnectionId(services.table)
  const { name, sign_in_url, auto_create_users } = body
  const connection = applyBody<ToyConnection>(
    {
      ...connectionDefaults,
      ...{ id, kind: 'toy', version: 1, name, normalizedName: '', domains: [], sign_in_url },
      sharedKey: { cipher: await services.vault.encrypt(body.shared_key, getSharedKeyContext(id)) },
    },
    { auto_create_users },
  )
  await storeNewConnection(services, context, toyKind, connection)
  return { status: 201, body: toToyBody(services.config, connection) }
}

export const deleteToyConnection: UseCase<typeof toyConnections.deleteToyConnection> = (request, services) =>
  removeConnection(request, services, toyKind)
