import { randomUUID } from 'node:crypto'
import { dirname, join, resolve } from 'node:path'
import { isMailJobKey } from '../lib/accounts/outbox/outbox.records.ts'
import { isLogoutJobKey } from '../lib/accounts/sessions/logout-jobs.records.ts'
import { hasFirstAdmin } from '../lib/accounts/users/admins.records.ts'
import { startAuditClock } from '../lib/features/audit/start-clock.records.ts'
import { ensureFirstAdmin } from '../lib/features/directory/users/first-admin.ts'
import { createMissingKeysWith } from '../lib/features/oauth/signing-keys/signing-key.ts'
import { operations } from '../lib/features/operations.ts'
import { anyMethod, listRoutes } from '../lib/kernel/contract/routes.ts'
import { delegatePasswordWork } from '../lib/kernel/secrets/passwords.ts'
import { explainEngineError, watchEngineFailures } from '../lib/kernel/table/engine-failure.ts'
import { watchPuts } from '../lib/kernel/table/table-calls.ts'
import { getErrorMessage } from '../lib/kernel/util/error-message.ts'
import { createServices, type Services } from '../lib/services.ts'
import { formatBanner, formatRequest } from './banner.ts'
import { getModuleUrl } from './child-process.ts'
import {
  applyConfigFile,
  type ConfigOptions,
  findConfigFile,
  watchConfigFile,
} from './config/start-config.ts'
import { lockDataDir, publishService } from './data-lock.ts'
import { createTable, startEngine } from './dynamodb.ts'
import { createFunctionRunner } from './function-runner.ts'
import { startGateway } from './gateway/gateway.ts'
import { createRouter } from './gateway/routes.ts'
import { startHashThreads } from './hash-threads.ts'
import { startHooks } from './hooks.ts'
import { createKeyPaths, requireData, requireVaultKey } from './key-path.ts'
import { startMail } from './mail.ts'
import { startOutbox, startPokedJob } from './outbox.ts'
import { checkPort, generatePassword } from './ports.ts'
import { startScheduler } from './scheduler.ts'
import {
  findMisspeltVariables,
  functionEnvironment,
  readSettings,
  type Settings,
  tableName,
} from './settings.ts'

/** How long lines wait for further ones. */
const pauseMs = 20

/**
 * Creates a function that prints lines together, because each write to a terminal or pipe interrupts the service. Lines
 * that wait when the process exits are printed first.
 */
const createPrintSoon = (print: (text: string) => void): ((line: string) => void) => {
  let waiting = ''
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const text = waiting
    waiting = ''
    if (text !== '') print(text)
  }
  process.once('exit', flush)
  return (line) => {
    waiting += line
    timer ??= setTimeout(flush, pauseMs)
  }
}

/** The time limit of the function that informs clients of ended sessions. */
const logoutRunMs = 60_000
/** What a daily job may take on AWS. */
const dailyRunMs = 600_000

/** How long running requests may take after the signal to stop. */
const graceMs = 5000
/** Signals within this time count as one: npm forwards the Ctrl-C that the terminal also sends to this process. */
const sameSignalMs = 300

const print = (text: string) => process.stdout.write(text)
const printSoon = createPrintSoon(print)
const printFailure = (reason: string) => process.stderr.write(`${reason}\n`)

/** Prints the reason and exits. Child processes and threads end with this process. */
const exitWith = (reason: string): never => {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}

const assertPortFree = async (port: number, use: string): Promise<void> => {
  const reason = await checkPort(port)
  if (!reason) return
  const problem = reason === 'EADDRINUSE' ? 'is in use' : `cannot be used (${reason})`
  throw new Error(`Port ${port} for ${use} ${problem}. Set another PORT (email uses the port above it).`)
}

const mailerUrl = getModuleUrl('../functions/mailer/index')
const auditChainUrl = getModuleUrl('../functions/audit-chain/index')
const signingKeysUrl = getModuleUrl('../functions/signing-keys/index')
const backchannelLogoutUrl = getModuleUrl('../functions/backchannel-logout/index')
const connectionRefreshUrl = getModuleUrl('../functions/connection-refresh/index')
const accountDeletionUrl = getModuleUrl('../functions/account-deletion/index')

/** Finds the path of an operation. Greedy routes do not name it. */
const findPath = createRouter(
  [...new Set(operations.map(({ path }) => path))].map((path) => ({
    routeKey: `${anyMethod} ${path}`,
    target: path,
  })),
)

/** Returns the folder of the target function of a route. */
const groupOf = (target: string): string => (target === '$default' ? 'unmatched' : target)

const requireGoodAdminPassword = async (password: string): Promise<void> => {
  const { isEasyToGuess } = await import('../lib/features/passwords/strength.ts')
  if (await isEasyToGuess(password, ['latchkey', 'admin']))
    throw new Error(
      'ADMIN_PASSWORD is too easy to guess. Make it longer, or use less common words and characters.',
    )
}

/** Creates the first administrator if there was none. Returns a generated password. */
const prepareAdmin = async ({ adminPassword }: Settings) => {
  const services = createServices(process.env)
  const password = adminPassword ?? generatePassword()
  // Afterwards, the setting is ignored.
  if (adminPassword && !(await hasFirstAdmin(services.table))) await requireGoodAdminPassword(adminPassword)
  const wasCreated = await ensureFirstAdmin(services, {
    readPassword: () => password,
    // No one can have this domain (RFC 6761). Emails stay on this machine.
    verifiedEmail: 'admin@latchkey.test',
  })
  return wasCreated ? { generatedPassword: adminPassword ? undefined : password } : undefined
}

/** Applies the configuration file of this folder, or the one in the settings, and goes on at each change of it. */
const startConfig = async ({ configFile, configOutputs, dataDir }: Settings, services: Services) => {
  const file = configFile === undefined ? findConfigFile('.') : resolve(configFile)
  if (file === undefined || configFile === 'none') return undefined
  const standardOutputs = dataDir === ':memory:' ? undefined : join(dataDir, 'outputs.json')
  const outputs = configOutputs === undefined ? standardOutputs : resolve(configOutputs)
  const options: ConfigOptions = {
    ...{ file, outputs, onFailure: printFailure },
    print: (line) => print(`${line}\n`),
  }
  const applied = await applyConfigFile(services, options)
  const { close } = watchConfigFile(services, applied, options)
  return { file, outputs, summary: applied.summary, hooks: applied.hooks, close }
}

const start = async (): Promise<() => Promise<void>> => {
  for (const sentence of findMisspeltVariables(Object.keys(process.env))) printFailure(sentence)
  const settings = readSettings(process.env)
  const { port, mailPort, dataDir, dynamodbEndpoint } = settings
  let isStopping = false
  const onExit = (reason: string) => {
    if (!isStopping) exitWith(reason)
  }

  watchEngineFailures(printFailure)
  const isKept = dataDir !== ':memory:' && !dynamodbEndpoint
  const unlock = isKept ? await lockDataDir(dataDir) : () => {}
  if (isKept) requireData(dataDir)
  await Promise.all([assertPortFree(port, 'the service'), assertPortFree(mailPort, 'email')])

  const startingMail = startMail({ port: mailPort, serviceUrl: `http://127.0.0.1:${port}`, onExit })
  const engine = await startEngine({ dataDir, endpoint: dynamodbEndpoint, onExit })
  if (isKept) publishService(dataDir, { endpoint: engine.endpoint, publicUrl: settings.publicUrl })
  const keyPaths = createKeyPaths(dataDir)
  // This process uses the environment as well, and every worker gets a copy of it.
  process.env = functionEnvironment(process.env, settings, engine.endpoint, keyPaths)
  const hashing = startHashThreads({ onFailure: printFailure })
  delegatePasswordWork(hashing)
  const invoke = createFunctionRunner({ onFailure: printFailure })
  const rotateKeys = async () => (await import(signingKeysUrl.href)).handler()
  createMissingKeysWith(rotateKeys)
  await createTable(engine.endpoint, tableName)
  const services = createServices(process.env)
  await requireVaultKey(services, keyPaths.vaultKey)
  await startAuditClock(services.table, tableName)
  // The password is hashed in a thread while the keys are created.
  const [mail, admin] = await Promise.all([startingMail, prepareAdmin(settings), rotateKeys()])
  const outbox = startOutbox({
    table: createServices(process.env).table,
    deliver: async (event) => (await import(mailerUrl.href)).handler(event),
    onFailure: printFailure,
  })
  outbox.poke()
  const scheduler = startScheduler({
    run: async () => {
      await rotateKeys()
      const context = { awsRequestId: randomUUID(), getRemainingTimeInMillis: () => dailyRunMs }
      await (await import(connectionRefreshUrl.href)).handler({}, context)
      await (await import(accountDeletionUrl.href)).handler({}, context)
      outbox.poke()
    },
    onFailure: printFailure,
  })
  const auditChain = startScheduler({
    run: async () => (await import(auditChainUrl.href)).handler(),
    // Before someone signs in and sees an overview that says that the chains stopped overnight.
    firstAfterMs: 2000,
    everyMs: 60_000,
    onFailure: printFailure,
  })
  const informClients = async () => {
    const endsAt = Date.now() + logoutRunMs
    const context = { awsRequestId: randomUUID(), getRemainingTimeInMillis: () => endsAt - Date.now() }
    const { handler } = await import(backchannelLogoutUrl.href)
    // A job for all sessions of a user adds jobs, which the table's stream reports on AWS.
    while ((await handler({}, context)).jobs > 0);
  }
  const logouts = startPokedJob({
    run: informClients,
    onFailure: printFailure,
  })
  watchPuts((key) => {
    if (isMailJobKey(key)) outbox.poke()
    if (isLogoutJobKey(key)) logouts.poke()
  })
  // Also finds jobs that other processes added, and those to try again.
  const missedJobs = startScheduler({
    run: async () => {
      outbox.poke()
      logouts.poke()
    },
    everyMs: 60_000,
  })
  const config = await startConfig(settings, services)
  const hooks =
    config && (await startHooks(config.hooks, { folder: dirname(config.file), onFailure: printFailure }))
  // Functions read it with their first request.
  if (hooks) process.env['HOOKS'] = hooks.variable
  const gateway = await startGateway({
    port,
    routes: listRoutes(operations),
    nameRoute: (method, path) => findPath(method, path).routeKey,
    invoke: (target, event) => invoke(groupOf(target), event),
    onRequest: (record) => printSoon(formatRequest(record, new Date())),
  })
  print(
    formatBanner({
      // Browsers offer passkeys there, and at no IP address.
      url: `http://localhost:${port}`,
      mailUrl: mail.url,
      data: dynamodbEndpoint ?? dataDir,
      admin,
      config,
      isPasswordIgnored: settings.adminPassword !== undefined && !admin,
      isDataExposed: engine.name === 'dynamodb-local',
      nodeVersion: process.versions.node,
    }),
  )

  return async () => {
    isStopping = true
    await gateway.close(graceMs)
    await config?.close()
    await hooks?.close()
    await Promise.all([scheduler.close(), auditChain.close(), missedJobs.close()])
    await Promise.all([outbox.close(), logouts.close()])
    await Promise.all([hashing.close(), mail.close()])
    await engine.close()
    unlock()
  }
}

// A closed output must not stop the service in the middle of a request.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

/** The sentence about the disk of the engine, if that is why the start failed. */
const describeFailure = (error: unknown): string => {
  const message = getErrorMessage(error)
  return explainEngineError(message) ?? message
}

const starting = start().catch((error: unknown) => exitWith(describeFailure(error)))

let stoppingSince: number | undefined
const onSignal = async (): Promise<void> => {
  const now = performance.now()
  if (stoppingSince !== undefined) {
    if (now - stoppingSince > sameSignalMs) process.exit(1)
    return
  }
  stoppingSince = now
  const stop = await starting
  await stop().catch((error: unknown) => exitWith(getErrorMessage(error)))
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
