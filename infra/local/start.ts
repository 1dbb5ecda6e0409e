import { randomUUID } from 'node:crypto'
import { ensureFirstAdmin } from '../../lib/accounts/directory/first-admin.ts'
import { getRouteKey } from '../../lib/contract/operation.ts'
import { operations } from '../../lib/contract/operations.ts'
import { createServices } from '../../lib/services.ts'
import { startDaily } from './daily.ts'
import { lockDataDir, tellEngine } from './data-lock.ts'
import { createTable, startEngine } from './dynamodb.ts'
import { makePassword } from './first-password.ts'
import { startGateway } from './gateway.ts'
import { greeting, requestLine } from './greeting.ts'
import { placeOfKey } from './key-place.ts'
import { startMail } from './mail.ts'
import { startOutbox } from './outbox.ts'
import { portFault } from './ports.ts'
import { functionEnvironment, readSettings, type Settings, tableName } from './settings.ts'
import { startWorkers } from './workers.ts'

/** How long running requests have when we are asked to end. */
const graceMs = 5000
/** Signals closer than this are one: npm passes on the Ctrl-C that the terminal has sent to us already. */
const sameSignalMs = 300

const print = (text: string) => process.stdout.write(text)

/** Says in one sentence why, and ends. Whatever was started ends with us. */
const giveUp = (reason: string): never => {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}

const checkPort = async (port: number, use: string): Promise<void> => {
  const fault = await portFault(port)
  if (!fault) return
  const trouble = fault === 'EADDRINUSE' ? 'is in use' : `can't be used (${fault})`
  throw new Error(`Port ${port}, for ${use}, ${trouble}: set PORT to another (mail takes the one above it).`)
}

const routes = operations.map((operation) => ({ routeKey: getRouteKey(operation), target: operation.group }))

const mailerUrl = new URL('../../functions/mailer/index.ts', import.meta.url)
const samlRefreshUrl = new URL('../../functions/saml-refresh/index.ts', import.meta.url)

/** The folder of the function that a route leads to. */
const groupOf = (target: string): string => (target === '$default' ? 'unmatched' : target)

/** Makes the table and the first admin where they are missing; returns the password if it made one. */
const prepareData = async (endpoint: string, { adminPassword }: Settings) => {
  await createTable(endpoint, tableName)
  const password = adminPassword ?? makePassword()
  const wasMade = await ensureFirstAdmin(createServices(process.env), { password })
  return wasMade ? { madePassword: adminPassword ? undefined : password } : undefined
}

const start = async (): Promise<() => Promise<void>> => {
  const settings = readSettings(process.env)
  const { port, mailPort, dataDir, dynamodbEndpoint } = settings
  let isStopping = false
  const onExit = (reason: string) => {
    if (!isStopping) giveUp(reason)
  }

  const isKept = dataDir !== ':memory:' && !dynamodbEndpoint
  const unlock = isKept ? lockDataDir(dataDir) : () => {}
  await Promise.all([checkPort(port, 'the service'), checkPort(mailPort, 'mail')])

  const startingMail = startMail({ port: mailPort, onExit })
  const engine = await startEngine({ dataDir, endpoint: dynamodbEndpoint, onExit })
  if (isKept) tellEngine(dataDir, engine.endpoint)
  // For our own part of the work and, as it is then, for every worker.
  process.env = functionEnvironment(process.env, settings, engine.endpoint, placeOfKey(dataDir))
  const workers = startWorkers({
    env: process.env,
    onFailure: (reason) => process.stderr.write(`${reason}\n`),
  })
  const [mail, admin] = await Promise.all([
    startingMail,
    prepareData(engine.endpoint, settings),
    workers.ready,
  ])
  const outbox = startOutbox({
    table: createServices(process.env).table,
    deliver: async (event) => (await import(mailerUrl.href)).handler(event),
    onFailure: (reason) => process.stderr.write(`${reason}\n`),
  })
  outbox.nudge()
  const daily = startDaily({
    run: async () => {
      await (await import(samlRefreshUrl.href)).handler({}, { awsRequestId: randomUUID() })
      outbox.nudge()
    },
    onFailure: (reason) => process.stderr.write(`${reason}\n`),
  })
  const gateway = await startGateway({
    port,
    routes,
    corsOrigins: settings.allowedOrigins,
    invoke: (target, event) => workers.invoke(groupOf(target), event),
    onRequest: (record) => {
      print(requestLine(record, new Date()))
      if (record.method !== 'GET') outbox.nudge()
    },
  })
  print(
    greeting({
      url: gateway.url,
      mailUrl: mail.url,
      data: dynamodbEndpoint ?? dataDir,
      admin,
      isPasswordUnused: settings.adminPassword !== undefined && !admin,
      isDataExposed: engine.name === 'dynamodb-local',
    }),
  )

  return async () => {
    isStopping = true
    await gateway.close(graceMs)
    await daily.close()
    await outbox.close()
    await Promise.all([workers.close(), mail.close()])
    await engine.close()
    unlock()
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

// Output that is no longer read is no reason to end in the middle of a request.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

const starting = start().catch((error: unknown) => giveUp(messageOf(error)))

let stoppingSince: number | undefined
const onSignal = async (): Promise<void> => {
  const now = performance.now()
  if (stoppingSince !== undefined) {
    if (now - stoppingSince > sameSignalMs) process.exit(1)
    return
  }
  stoppingSince = now
  const stop = await starting
  await stop().catch((error: unknown) => giveUp(messageOf(error)))
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
