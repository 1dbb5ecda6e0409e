import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations } from '../../lib/features/operations.ts'
import type { GroupHandler } from '../../lib/http/handler.ts'
import { listRoutes } from '../../lib/kernel/contract/routes.ts'
import { createServices, type Services } from '../../lib/services.ts'
import { createTable } from '../../local/dynamodb.ts'
import { startGateway } from '../../local/gateway/gateway.ts'
import { type Outbox, startOutbox } from '../../local/outbox.ts'
import { startProxy, type TableHooks } from '../infra/dynamodb-proxy.ts'
import { type Client, clientOf, type JsonValue } from './client.ts'
import { watchAnswers } from './declared-answers.ts'
import { createLambdaContext } from './lambda-context.ts'
import { captureLog } from './log.ts'
import { type Mailbox, openMailbox } from './mailbox.ts'
import { noteMailJobs } from './note-mail-jobs.ts'
import { operationKeyOf } from './operation-key.ts'
import { makePatient, patientTimeoutMs } from './patient-client.ts'
import { watchTableCalls } from './watch-table-calls.ts'

export interface TestService {
  readonly url: string
  readonly client: Client
  /** The internal services, for checks that HTTP does not allow. */
  readonly services: Services
  readonly tableName: string
  /** The log lines so far. */
  readonly log: readonly string[]
  readonly mailbox: Mailbox
  /** Runs the function that informs OpenID Connect clients of ended sessions. */
  readonly informClients: () => Promise<void>
  /** Runs the function that deletes accounts as their users asked. */
  readonly deleteDueAccounts: () => Promise<void>
  /** Runs the function that plans and applies configuration files. */
  readonly invokeConfig: (
    event: unknown,
    invokedFunctionArn?: string,
    name?: 'config' | 'config-product',
  ) => Promise<JsonValue>
  readonly close: () => Promise<void>
}

export interface ServiceOptions {
  readonly sendsMail?: boolean
  /** A name of this machine. Browsers offer passkeys on `localhost` but not for IP addresses. */
  readonly hostname?: string
  /** False for tests that create the signing keys as a deployment does. By default the first request for them does. */
  readonly createsSigningKeys?: boolean
  /** False if too many requests follow to keep the log lines of all of them. */
  readonly keepsLog?: boolean
  /** Called with the table calls of the service and of the test. */
  readonly tableHooks?: TableHooks
  /** The stack that a deployed service has. */
  readonly stack?: 'service' | 'hooks'
}

/** The lowest bcrypt cost, to keep tests fast. */
const testCost = '4'

/**
 * Starts the service with a new table in the engine of this run. A test file can start only one, because handlers read
 * their environment once. With `TEST_TARGET=deployed`, it is what the synthesised template would deploy; otherwise the
 * real handlers run in this process, so that a test can move the clock.
 */
export const startService = async (
  settings: Readonly<Record<string, string>> = {},
  options: ServiceOptions = {},
): Promise<TestService> => {
  if (process.env['TEST_TARGET'] !== 'deployed') return startHandlers(settings, options)
  const { startDeployedService } = await import('../runner/deployed-service.ts')
  return startDeployedService(settings, options)
}

const startHandlers = async (
  settings: Readonly<Record<string, string>>,
  { sendsMail = true, hostname = '127.0.0.1', keepsLog = true, tableHooks }: ServiceOptions,
): Promise<TestService> => {
  const tableName = `latchkey-${randomUUID()}`
  const engine = endpoint()
  await createTable(engine, tableName)
  const proxy = tableHooks && (await startProxy({ endpoint: engine, ...tableHooks }))
  const keyFolder = mkdtempSync(join(tmpdir(), 'latchkey-test-'))
  const log = captureLog(keepsLog)
  const groups = new Map<string, Promise<{ handler: GroupHandler }>>()
  const answers = watchAnswers()
  const tableCalls = watchTableCalls()
  const mailJobs = noteMailJobs()
  let outbox: Outbox | undefined
  let signingKeys: Promise<unknown> | undefined
  /** A deployment creates them at once. Here only tests that need them take the time. */
  const prepareSigningKeys = (): Promise<unknown> => {
    signingKeys ??= import('../../functions/signing-keys/index.ts').then(({ handler }) =>
      tableCalls.runAs('signing-keys', () => handler()),
    )
    return signingKeys
  }
  const gateway = await startGateway({
    port: 0,
    routes: listRoutes(operations),
    functionTimeoutMs: patientTimeoutMs,
    invoke: async (target, event) => {
      const group = target === '$default' ? 'unmatched' : target
      if (group === 'oidc') await prepareSigningKeys()
      const loaded: Promise<{ handler: GroupHandler }> =
        groups.get(group) ?? import(`../../functions/${group}/index.ts`)
      groups.set(group, loaded)
      const { handler } = await loaded
      const answer = await tableCalls.runAs(group, () => handler(event, createLambdaContext()), event)
      answers.watch(operationKeyOf(event), answer)
      return answer
    },
    onRequest: () => {
      if (sendsMail && mailJobs.take()) outbox?.poke()
    },
  })
  const url = gateway.url.replace('127.0.0.1', hostname)
  const mailbox = await openMailbox()
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SES: mailbox.url,
    MAIL_FROM: 'Latchkey <no-reply@localhost>',
    DYNAMODB_ENDPOINT: proxy?.url ?? engine,
    TABLE_NAME: tableName,
    PUBLIC_URL: url,
    PASSWORD_COST: testCost,
    VALIDATE_RESPONSES: 'true',
    TABLE_TIMEOUT_MS: String(patientTimeoutMs),
    LOG_LEVEL: 'info',
    BREACH_ENDPOINT: '',
    LOCAL_KEY_FILE: join(keyFolder, 'vault.key'),
    ...settings,
  })
  const services = createServices(process.env)
  outbox = startOutbox({
    table: services.table,
    deliver: async (event) => {
      const { handler } = await import('../../functions/mailer/index.ts')
      return tableCalls.runAs('mailer', () => handler(event))
    },
    retryAfterMs: 20,
  })
  return {
    url,
    client: makePatient(clientOf(url)),
    services,
    tableName,
    log: log.lines,
    mailbox,
    informClients: async () => {
      await prepareSigningKeys()
      const { handler } = await import('../../functions/backchannel-logout/index.ts')
      await tableCalls.runAs('backchannel-logout', () => handler({}, createLambdaContext()))
    },
    deleteDueAccounts: async () => {
      const { handler } = await import('../../functions/account-deletion/index.ts')
      await tableCalls.runAs('account-deletion', () => handler({}, createLambdaContext()))
    },
    invokeConfig: async (event, invokedFunctionArn, name = 'config') => {
      const { handler } = await (name === 'config'
        ? import('../../functions/config/index.ts')
        : import('../../functions/config-product/index.ts'))
      return tableCalls.runAs(name, () => handler(event as never, createLambdaContext(invokedFunctionArn)))
    },
    close: async () => {
      log.stop()
      await gateway.close()
      await outbox?.close()
      await mailbox.close()
      await proxy?.close()
      process.env['DYNAMODB_ENDPOINT'] = engine
      rmSync(keyFolder, { recursive: true })
      answers.verify()
      tableCalls.verify()
    },
  }
}

const endpoint = (): string => {
  const { DYNAMODB_ENDPOINT } = process.env
  if (!DYNAMODB_ENDPOINT) throw new Error('DYNAMODB_ENDPOINT is not set')
  return DYNAMODB_ENDPOINT
}
