import { connectionRefreshKey } from '../../lib/kernel/table/keys/keys.ts'
import type { JsonValue } from './client.ts'
import { createLambdaContext } from './lambda-context.ts'
import type { TestService } from './service.ts'

/** Refreshes all connections as if the last refresh had been a day ago. Returns the summary. */
export const refreshConnections = async ({ services }: TestService): Promise<JsonValue> => {
  await services.table.transact([{ delete: connectionRefreshKey }])
  const { handler } = await import('../../functions/connection-refresh/index.ts')
  return handler({}, createLambdaContext())
}
