import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda'
import { ensureFirstAdmin } from '../../lib/features/directory/users/first-admin.ts'
import { operations } from '../../lib/features/operations.ts'
import type { GroupHandler } from '../../lib/http/handler.ts'
import { listRoutes } from '../../lib/kernel/contract/routes.ts'
import { userKey } from '../../lib/kernel/table/keys/keys.ts'
import { createServices } from '../../lib/services.ts'
import { createTable } from '../../local/dynamodb.ts'
import { startGateway } from '../../local/gateway/gateway.ts'
import { httpEvent } from '../support/authorizer-events.ts'
import { type Client, clientOf } from '../support/client.ts'
import { createLambdaContext } from '../support/lambda-context.ts'
import { captureLog } from '../support/log.ts'
import type { Release } from './release.ts'

/** One release, as callers reach it while several run on the same table. */
export interface RunningRelease {
  readonly name: string
  readonly client: Client
  /** Asks the authorizer whether it lets a credential through. */
  readonly authorizes: (bearer: string) => Promise<boolean>
}

export interface MixedService {
  readonly run: (release: Release) => RunningRelease
  /** The stored form of a user. */
  readonly readStoredUser: (id: number) => Promise<Readonly<Record<string, unknown>> | undefined>
  readonly log: readonly string[]
  readonly close: () => Promise<void>
}

/** The password of `admin`. */
export const adminPassword = 'violin harbor mustard tent'

/** Names the release that answers a request. */
const releaseHeader = 'x-release'

/** Serves several releases on one new table. Each request goes to the functions of one of them. */
export const startMixedService = async (): Promise<MixedService> => {
  const engine = process.env['DYNAMODB_ENDPOINT'] ?? ''
  const tableName = `latchkey-${randomUUID()}`
  await createTable(engine, tableName)
  const keyFolder = mkdtempSync(join(tmpdir(), 'latchkey-releases-'))
  const log = captureLog()
  const releases = new Map<string, Release>()
  const load = <Handler>(release: string, name: string): Promise<{ readonly handler: Handler }> =>
    import(pathToFileURL(join(releases.get(release)?.folder ?? '', name, 'index.mjs')).href)
  const gateway = await startGateway({
    port: 0,
    routes: listRoutes(operations),
    invoke: async (target, event) => {
      const { handler } = await load<GroupHandler>(event.headers[releaseHeader] ?? '', target)
      return handler(event, createLambdaContext())
    },
  })
  Object.assign(process.env, {
    TABLE_NAME: tableName,
    PUBLIC_URL: gateway.url,
    // The lowest bcrypt cost, to keep the test fast.
    PASSWORD_COST: '4',
    LOG_LEVEL: 'info',
    BREACH_ENDPOINT: '',
    LOCAL_KEY_FILE: join(keyFolder, 'vault.key'),
  })
  const services = createServices(process.env)
  await ensureFirstAdmin(services, { readPassword: () => adminPassword })
  const client = clientOf(gateway.url)
  return {
    run: (release) => {
      const { name } = release
      releases.set(name, release)
      return {
        name,
        client: (method, path, options) =>
          client(method, path, { ...options, headers: { ...options?.headers, [releaseHeader]: name } }),
        authorizes: async (bearer) => {
          type Authorizer = (event: APIGatewayRequestAuthorizerEventV2) => Promise<{ isAuthorized: boolean }>
          const { handler } = await load<Authorizer>(name, 'authorizer')
          return (await handler(httpEvent(bearer))).isAuthorized
        },
      }
    },
    readStoredUser: (id) => services.table.get(userKey(id)),
    log: log.lines,
    close: async () => {
      log.stop()
      await gateway.close()
      rmSync(keyFolder, { recursive: true })
    },
  }
}
