import { randomUUID } from 'node:crypto'
import { createTable } from '../../infra/local/dynamodb.ts'
import { startGateway } from '../../infra/local/gateway.ts'
import { routeKey } from '../../lib/contract/operation.ts'
import { operations } from '../../lib/contract/operations.ts'
import type { GroupHandler } from '../../lib/http/handler.ts'
import { createServices, type Services } from '../../lib/services.ts'
import { type Client, clientOf } from './client.ts'
import { handlerContext } from './lambda-context.ts'
import { captureLog } from './log.ts'

export interface TestService {
  readonly url: string
  readonly client: Client
  /** The parts that tests look behind the interface with. */
  readonly services: Services
  readonly tableName: string
  /** The lines that the service logged so far. */
  readonly log: readonly string[]
  readonly close: () => Promise<void>
}

/** The cheapest cost that bcrypt knows: tests are about behaviour. */
const testCost = '4'

/**
 * Starts the real handlers behind the real gateway, on a table of its own in the engine of this run. Handlers run
 * in this process, so that a test can move the clock; each test file can start one service, since handlers read
 * their environment once.
 */
export const startService = async (settings: Readonly<Record<string, string>> = {}): Promise<TestService> => {
  const tableName = `latchkey-${randomUUID()}`
  await createTable(endpoint(), tableName)
  const log = captureLog()
  const groups = new Map<string, Promise<{ handler: GroupHandler }>>()
  const gateway = await startGateway({
    port: 0,
    routes: operations.map((operation) => ({ routeKey: routeKey(operation), target: operation.group })),
    invoke: async (target, event) => {
      const group = target === '$default' ? 'unmatched' : target
      const loaded = groups.get(group) ?? import(`../../functions/${group}/index.ts`)
      groups.set(group, loaded)
      return (await loaded).handler(event, handlerContext())
    },
  })
  Object.assign(process.env, {
    TABLE_NAME: tableName,
    PUBLIC_URL: gateway.url,
    PASSWORD_COST: testCost,
    VALIDATE_RESPONSES: 'true',
    LOG_LEVEL: 'info',
    ...settings,
  })
  return {
    url: gateway.url,
    client: clientOf(gateway.url),
    services: createServices(process.env),
    tableName,
    log: log.lines,
    close: async () => {
      log.stop()
      await gateway.close()
    },
  }
}

const endpoint = (): string => {
  const { DYNAMODB_ENDPOINT } = process.env
  if (!DYNAMODB_ENDPOINT) throw new Error('the engine of the test run is not there')
  return DYNAMODB_ENDPOINT
}
