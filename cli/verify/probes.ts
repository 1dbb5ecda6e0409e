import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { operations } from '../../lib/features/operations.ts'
import { listRoutes } from '../../lib/kernel/contract/routes.ts'
import { CommandFailure } from '../../local/command-failure.ts'
import { openFunctionDoor } from '../config/function-door.ts'
import { type Account, read, requireOutput } from './account.ts'
import { type Aws, findChild, listMembers, orMissing, textOf } from './aws.ts'
import { type AreaCheck, Failed, Skipped } from './check.ts'
import { readAlarms } from './notification-checks.ts'
import { describeAnswer, isFromService, type Send } from './request.ts'
import { checkLists } from './signed-in.ts'
import { checkApiQuotas, readConcurrency } from './stack-checks.ts'
import { readCopyVaults } from './table-checks.ts'
import { type Created, checkLink, checkMail, checkTicket, cleanUp, type Parts } from './throw-away-user.ts'

/*
 * What only a real account can say, because every test has a model of AWS instead. Each probe answers with yes, or with no and the
 * setting that helps.
 */

export interface ProbeOptions {
  readonly origin: string
  readonly send: Send
  readonly asAdmin: Send
  readonly account: Account
  /** Milliseconds that only grow. Tests have a clock of their own. */
  readonly now?: () => number
  /** Waits before AWS is asked again. Tests do not wait. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

export const buildProbes = (options: ProbeOptions): readonly AreaCheck[] =>
  [
    {
      id: 'probe-leading-keys',
      title: 'Do roles with dynamodb:LeadingKeys allow index queries and transactions?',
      advice: 'Deploy with wholeTableGrants, and report it.',
      docs: 'docs/operate.md#calls-that-dynamodb-refuses',
      run: (signal) => probeLeadingKeys(options, signal),
    },
    {
      id: 'probe-routes',
      title: 'Does the API have all routes, and do they lead to Latchkey?',
      advice:
        'Compare the routes of the API with the quota of your account, ask AWS for more, and deploy again.',
      docs: 'docs/deploy.md#quotas-of-the-gateway',
      run: (signal) => probeRoutes(options, signal),
    },
    {
      id: 'probe-files',
      title: 'Does the function for files see that a request came through its address?',
      advice: 'Send files with an API token instead of --function, and report it.',
      docs: 'docs/as-code.md#deployed-services',
      run: () => probeFiles(options.account),
    },
    {
      id: 'probe-events',
      title: 'Does Lambda run the events of CloudFormation at once?',
      advice: 'Ask AWS for more concurrent executions before stacks of products are deployed.',
      docs: 'docs/scaling.md#concurrency',
      run: (signal) => probeEvents(options, signal),
    },
    {
      id: 'probe-regions',
      title: 'Do outputs of stacks reach stacks in other regions?',
      advice: 'Deploy all stacks again. If it stays so, deploy without frontDoor or backupRegion.',
      docs: 'docs/multi-region.md#prepare-a-second-region',
      run: () => probeRegions(options.account),
    },
    {
      id: 'probe-transaction',
      title: 'Does a transaction take as little time as the limits assume?',
      advice:
        'Verify again at a quiet time. If it stays so, raise the warm throughput of the table, because people who wait for one item wait longer.',
      docs: 'docs/scaling.md#the-table',
      run: (signal) => probeTransaction(options, signal),
    },
    {
      id: 'probe-waf',
      title: 'Do the rules of WAF let valid requests through?',
      advice:
        'Look at the log aws-waf-logs-… in us-east-1 for the rule, and count it in the web ACL of frontDoor.webAclArn.',
      docs: 'docs/deploy.md#front-door',
      run: (signal) => probeWaf(options, signal),
    },
    {
      id: 'probe-mail',
      title: 'Does SES accept an email?',
      advice: 'Set mailFrom to an address that SES has verified in this region, and deploy again.',
      docs: 'docs/deploy.md#email',
      run: (signal) => probeMail(options, signal),
    },
    {
      id: 'probe-quotas',
      title: 'Are the quotas of the account those that the pages assume?',
      advice:
        'Ask AWS for higher quotas before you launch. Then set hashingConcurrency and requestsPerSecond.',
      docs: 'docs/scaling.md#raise-before-you-launch',
      run: () => probeQuotas(options.account),
    },
    {
      id: 'probe-alarms',
      title: 'Does an alarm reach its receivers?',
      advice:
        'Set alarmEmail and confirm the subscription, or let cloudwatch.amazonaws.com use topic and key.',
      docs: 'docs/deploy.md#email',
      run: (signal) => probeAlarms(options.account, signal),
    },
  ] satisfies readonly AreaCheck[]

const partsOf = ({ origin, send, asAdmin }: ProbeOptions, mailTo?: string): Parts & { created: Created } => ({
  origin,
  send,
  asAdmin,
  mailTo,
  created: { username: '', password: '' },
})

/** Each list queries the index under another grant, and a ticket is created and exchanged by transactions. */
const probeLeadingKeys = async (options: ProbeOptions, signal: AbortSignal): Promise<string> => {
  await checkLists(partsOf(options), signal)
  await checkTicket(partsOf(options), signal)
  return 'Yes. Index queries and transactions are allowed.'
}

/** Routes that are asked at the same time. */
const routesAtOnce = 8
const RouteKeys = z.object({
  items: z.optional(z.array(z.object({ routeKey: z.optional(z.string()) }))),
  nextToken: z.optional(z.string()),
})

/** Reads without a credential change nothing. The routes of others are compared with the list of the API. */
const probeRoutes = async ({ send, account }: ProbeOptions, signal: AbortSignal): Promise<string> => {
  const readable = operations.filter(({ method }) => method === 'GET')
  for (let at = 0; at < readable.length; at += routesAtOnce)
    await Promise.all(
      readable.slice(at, at + routesAtOnce).map(async ({ path }) => {
        const answer = await send('GET', path.replaceAll(/\{[^}]+\}/g, '0'), { signal })
        if (!isFromService(answer) || answer.status >= 500)
          throw new Failed(`No. For GET ${path}: ${describeAnswer(answer)}`)
      }),
    )
  const known = await readRouteKeys(account).catch((error: unknown) => {
    if (error instanceof Skipped) return undefined
    throw error
  })
  if (!known)
    return `Yes. Latchkey answered ${readable.length} routes. Without --stack, the others are not known.`
  const missing = listRoutes(operations).filter(({ routeKey }) => !known.has(routeKey))
  const [first] = missing
  if (first) throw new Failed(`No. The API lacks ${missing.length} routes, such as ${first.routeKey}.`)
  return `Yes. Latchkey answered ${readable.length} routes, and the API has all ${known.size}.`
}

const maxPages = 20

const readRouteKeys = async ({ aws, stack }: Account): Promise<ReadonlySet<string>> => {
  const api = requireOutput(await stack(), 'ApiId')
  const client = await aws()
  const keys = new Set<string>()
  let token = ''
  for (let at = 0; at < maxPages; at++) {
    const next = token ? `&nextToken=${encodeURIComponent(token)}` : ''
    const path = `/v2/apis/${encodeURIComponent(api)}/routes?maxResults=500${next}`
    const page = read(RouteKeys, await client.get('apigateway', path))
    for (const { routeKey } of page.items ?? []) if (routeKey) keys.add(routeKey)
    token = page.nextToken ?? ''
    if (!token) break
  }
  return keys
}

/** Plans a file without entries, which changes nothing. The function refuses what did not come through its URL or its alias. */
const probeFiles = async (account: Account): Promise<string> => {
  const { findOutput } = await account.stack()
  const address = findOutput('ConfigUrl') ?? findOutput('ConfigAliasArn')
  if (address === undefined) throw new Skipped('The stack has no output ConfigUrl or ConfigAliasArn.')
  await openFunctionDoor(address)
    .plan({ schema_version: 1, owner: 'latchkey-verify' }, { prune: false })
    .catch((error: unknown) => {
      if (!(error instanceof CommandFailure)) throw error
      // The credentials of the environment lack a permission, which says nothing about the function.
      if (error.message.startsWith('AWS refused')) throw new Skipped(error.message)
      throw new Failed(`No. ${error.message}`)
    })
  return 'Yes. It planned a file without entries.'
}

const waitFor: NonNullable<ProbeOptions['pause']> = (ms, signal) => sleep(ms, undefined, { signal })

/** CloudFormation sends its events like this one, and Lambda discards what waits for longer than a minute. */
const eventTries = 13
const eventPauseMs = 2000
const LogEvents = z.object({ events: z.optional(z.array(z.unknown())) })

/** Sends an event that the function refuses, and waits until its log names it. */
const probeEvents = async (
  { account, pause = waitFor }: ProbeOptions,
  signal: AbortSignal,
): Promise<string> => {
  const { resources, findOutput } = await account.stack()
  const functionArn = findOutput('ConfigFunctionArn')
  const log = resources.find(({ type, id }) => type === 'AWS::Logs::LogGroup' && /ConfigLog/.test(id))
  if (functionArn === undefined || !log)
    throw new Skipped('The stack has no function for files, or no log of it.')
  const aws = await account.aws()
  const requestId = randomUUID()
  const startTime = Date.now() - 60_000
  await aws.invokeLater(functionArn, { rawPath: '/verify', headers: {}, requestContext: { requestId } })
  for (let attempt = 0; attempt < eventTries; attempt++) {
    const found = await aws.json('logs', 'FilterLogEvents', {
      logGroupName: log.name,
      filterPattern: `"${requestId}"`,
      startTime,
    })
    if ((read(LogEvents, found).events ?? []).length > 0)
      return 'Yes. The function ran an event that nobody waits for.'
    await pause(eventPauseMs, signal)
  }
  throw new Failed(
    `No. After ${(eventTries * eventPauseMs) / 1000} seconds, the log has nothing of the event.`,
  )
}

/** The alarms of the front door name its distribution, and the plan of backups names the vault of copies. */
const probeRegions = async (account: Account): Promise<string> => {
  const { resources } = await account.stack()
  const nameOf = (type: string) => resources.find((one) => one.type === type)?.name
  const found: string[] = []
  const distribution = nameOf('AWS::CloudFront::Distribution')
  if (distribution !== undefined) {
    const [, others] = await readAlarms(account)
    const named = others?.found.flatMap((alarm) =>
      listMembers(alarm, 'Dimensions').flatMap((one) =>
        textOf(one, 'Name') === 'DistributionId' ? [textOf(one, 'Value')] : [],
      ),
    )
    if (!named?.includes(distribution))
      throw new Failed('No. The alarms in us-east-1 do not watch the distribution of this stack.')
    found.push('The alarms in us-east-1 watch the distribution.')
  }
  const plan = nameOf('AWS::Backup::BackupPlan')
  const copies = plan === undefined ? [] : await readCopyVaults(await account.aws(), plan)
  for (const arn of copies) {
    const [, , , region = '', , , name = ''] = arn.split(':')
    const client = await account.awsIn(region)
    if ((await orMissing(client.get('backup', `/backup-vaults/${encodeURIComponent(name)}`))) === undefined)
      throw new Failed(`No. The vault of copies does not exist in ${region}.`)
    found.push(`Backups are copied to a vault in ${region}.`)
  }
  if (found.length === 0) throw new Skipped('The service uses one region.')
  return `Yes. ${found.join(' ')}`
}

const measuredRounds = 15
/** Limits of the pages assume 20 ms. An exchange on the way is subtracted, and the rest varies. */
const mostTransactionMs = 100

/** The median time of creating a ticket beyond that of a request that only reads. */
const probeTransaction = async (
  { asAdmin, now = () => performance.now() }: ProbeOptions,
  signal: AbortSignal,
): Promise<string> => {
  const time = async (method: string, path: string): Promise<number> => {
    const startedAt = now()
    const answer = await asAdmin(method, path, { signal })
    if (answer.status !== 200 && answer.status !== 201) throw new Failed(`No. ${describeAnswer(answer)}`)
    return now() - startedAt
  }
  const [reads, writes]: [number[], number[]] = [[], []]
  for (let round = 0; round < measuredRounds; round++) {
    reads.push(await time('GET', '/api/2/users/me'))
    writes.push(await time('POST', '/api/2/auth/ticket'))
  }
  const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[measuredRounds >> 1] ?? 0
  const milliseconds = Math.max(0, Math.round(median(writes) - median(reads)))
  if (milliseconds > mostTransactionMs)
    throw new Failed(`No. A transaction takes ${milliseconds} ms more than a read.`)
  return `Yes. A transaction takes ${milliseconds} ms more than a read.`
}

/** What managed rules tend to refuse, although people and products send it. */
const unusualRequests: readonly (readonly [what: string, method: string, path: string, body?: object])[] = [
  ['an address that ends with .log', 'GET', '/?return_to=https%3A%2F%2Fapp.example.com%2Flogs%2Fserver.log'],
  ['an address with ..%2f', 'GET', '/?return_to=https%3A%2F%2Fapp.example.com%2Fa%2F..%252fb'],
  ['a redirect to this machine', 'GET', '/?return_to=http%3A%2F%2F127.0.0.1%3A8080%2Fcallback'],
  ['a text of SQL', 'POST', '/api/2/auth/ticket/check', { ticket: "x' OR 1=1; DROP TABLE users; --" }],
  ['a text of HTML', 'POST', '/api/2/auth/ticket/check', { ticket: '<script>alert(1)</script>' }],
  ['a text of a path', 'POST', '/api/2/auth/ticket/check', { ticket: '../../etc/passwd' }],
  ['a body of 40 KB', 'POST', '/api/2/auth/ticket/check', { ticket: 'x'.repeat(40_000) }],
]

const probeWaf = async ({ send }: ProbeOptions, signal: AbortSignal): Promise<string> => {
  for (const [what, method, path, body] of unusualRequests) {
    const answer = await send(method, path, { signal, ...(body ? { body } : {}) })
    if (!isFromService(answer))
      throw new Failed(
        `No. Another server answered ${what} with ${answer.status}, before Latchkey received it.`,
      )
    if (answer.status === 429) throw new Skipped('Too many requests. Try again later.')
    if (answer.status >= 500) throw new Failed(`No. For ${what}: ${describeAnswer(answer)}`)
  }
  return `Yes. Latchkey itself answered ${unusualRequests.length} requests that firewalls tend to block.`
}

/** An address of SES that receives email also from accounts in the sandbox, and counts against no rate of bounces. */
const simulator = 'success@simulator.amazonses.com'

const probeMail = async (options: ProbeOptions, signal: AbortSignal): Promise<string> => {
  const parts = partsOf(options, simulator)
  try {
    await checkLink(parts, signal)
    await checkMail(parts, signal)
  } finally {
    await cleanUp(parts, new AbortController().signal).catch((error: unknown) => {
      if (!(error instanceof Skipped)) throw error
    })
  }
  return 'Yes. SES accepted an email to its simulator.'
}

const SendQuota = z.object({
  SendQuota: z.optional(z.object({ Max24HourSend: z.number(), MaxSendRate: z.number() })),
})
/** What the page about scaling assumes of Lambda, and what an account in the sandbox of SES has. */
const wantedExecutions = 1000
const sandboxEmails = 200

const probeQuotas = async (account: Account): Promise<string> => {
  const client = await account.aws()
  const { all } = await readConcurrency(client)
  const { SendQuota: mail } = read(SendQuota, await client.get('ses', '/v2/email/account'))
  const routes = await checkApiQuotas(account)
  const facts = [
    `Lambda: ${all} executions at the same time.`,
    ...(mail ? [`SES: ${mail.Max24HourSend} emails a day, ${mail.MaxSendRate} a second.`] : []),
    `API Gateway: ${routes}`,
  ].join(' ')
  const isLow = all < wantedExecutions || (mail?.Max24HourSend ?? 0) <= sandboxEmails
  if (isLow) throw new Failed(`No. ${facts}`)
  return `Yes. ${facts}`
}

const historyTries = 8
const historyPauseMs = 1500

/** Sets an alarm for a moment, and reads what CloudWatch says about informing the topic. */
const probeAlarms = async (account: Account, signal: AbortSignal): Promise<string> => {
  const stacks = await readAlarms(account)
  let delivered = 0
  for (const { aws, found } of stacks) {
    const alarm = found.find((one) => listMembers(one, 'AlarmActions').length > 0)
    if (!alarm) throw new Failed('No. The alarms have no receiver.')
    await ring(aws, textOf(alarm, 'AlarmName'), signal)
    delivered++
  }
  return `Yes. CloudWatch informed the topics of ${delivered} stacks. Look for the email.`
}

const ring = async (aws: Aws, name: string, signal: AbortSignal): Promise<void> => {
  const setState = (StateValue: 'ALARM' | 'OK') =>
    aws.query('monitoring', 'SetAlarmState', {
      AlarmName: name,
      StateValue,
      StateReason: 'latchkey verify --probe asks whether this alarm arrives.',
    })
  const StartDate = new Date(Date.now() - 1000).toISOString()
  await setState('ALARM')
  try {
    for (let attempt = 0; attempt < historyTries; attempt++) {
      const history = await aws.query('monitoring', 'DescribeAlarmHistory', {
        AlarmName: name,
        HistoryItemType: 'Action',
        StartDate,
      })
      const [item] = listMembers(history, 'AlarmHistoryItems')
      const summary = item ? (findChild(item, 'HistorySummary')?.text ?? '') : undefined
      if (summary?.startsWith('Successfully executed')) return
      if (summary !== undefined) throw new Failed(`No. CloudWatch could not inform the topic: ${summary}`)
      await sleep(historyPauseMs, undefined, { signal })
    }
    throw new Failed('No. CloudWatch reports no message to the topic.')
  } finally {
    await setState('OK')
  }
}
