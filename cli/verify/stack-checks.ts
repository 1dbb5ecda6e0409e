import * as z from 'zod/mini'
import { gatewayRequestsQuota } from '../../lib/kernel/limits/aws-limits.ts'
import { type Account, read, requireOutput, type Throttle } from './account.ts'
import { type Aws, orMissing } from './aws.ts'
import { type AreaCheck, Failed, Skipped } from './check.ts'
import { findQuota, type Quota, readQuotas } from './quotas.ts'

/** The checks of the stack, its grants, and the quotas that it uses. */
export const buildStackChecks = (account: Account): readonly AreaCheck[] => [
  {
    id: 'stack',
    title: 'Stack',
    advice: 'Look at the events of the stack, and at its output Url.',
    docs: 'docs/deploy.md#the-first-deployment-failed',
    run: () => checkStack(account),
  },
  {
    id: 'grants',
    title: 'Grants of functions',
    advice: 'Deploy without wholeTableGrants, and verify again. It is needed only if the check lists fails.',
    docs: 'docs/operate.md#calls-that-dynamodb-refuses',
    run: () => checkGrants(account),
  },
  {
    id: 'direct-requests',
    title: 'Requests past the front door',
    advice: 'Remove allowDirectRequests from frontDoor, and deploy again.',
    docs: 'docs/deploy.md#front-door',
    run: () => checkDirectRequests(account),
  },
  {
    id: 'admin-secret',
    title: 'Secret of the first administrator',
    advice: 'Restore the secret in Secrets Manager, or create another administrator and use that one.',
    docs: 'docs/operate.md#a-lost-administrator',
    run: () => checkAdminSecret(account),
  },
  {
    id: 'concurrency',
    title: 'Concurrency of Lambda',
    advice: 'Ask AWS for a higher quota of concurrent executions: 100 more than hashingConcurrency reserves.',
    docs: 'docs/scaling.md#concurrency',
    run: () => checkConcurrency(account),
  },
  {
    id: 'routes',
    title: 'Quotas of API Gateway',
    advice: 'Ask AWS for a higher quota, or lower requestsPerSecond and requestsInBurst.',
    docs: 'docs/deploy.md#quotas-of-the-gateway',
    run: () => checkApiQuotas(account),
  },
]

const checkStack = async ({ readingStack, origin }: Account): Promise<string> => {
  const { status, findOutput } = await readingStack()
  if (!/^(?:CREATE|UPDATE|IMPORT)_COMPLETE(?:_CLEANUP_IN_PROGRESS)?$/.test(status))
    throw new Failed(`The status of the stack is ${status}.`)
  const url = findOutput('Url')
  if (url !== undefined && url !== origin) throw new Failed(`The stack serves ${url} instead of ${origin}.`)
  return `The status is ${status}.`
}

const itemActions =
  /^dynamodb:(?:\*|Scan|Query|GetItem|BatchGetItem|PutItem|UpdateItem|DeleteItem|ConditionCheckItem)$/

/** Counts the statements about items of the table, and those that no partition key limits. */
const checkGrants = async ({ template }: Account): Promise<string> => {
  const { statements } = await template()
  const onItems = statements.filter(({ Action }) =>
    [Action].flat().some((action) => itemActions.test(String(action))),
  )
  const wide = onItems.filter(
    ({ Condition }) => !JSON.stringify(Condition ?? '').includes('"dynamodb:LeadingKeys"'),
  )
  if (wide.length > 0)
    throw new Failed(
      `${wide.length} of ${onItems.length} grants are for the whole table, as with wholeTableGrants.`,
    )
  return `dynamodb:LeadingKeys limits all ${onItems.length} grants. The check lists shows whether they work.`
}

const checkDirectRequests = async ({ stack, template }: Account): Promise<string> => {
  const { resources } = await stack()
  if (!resources.some(({ type }) => type === 'AWS::CloudFront::Distribution'))
    throw new Skipped('The service has no front door.')
  if ((await template()).findVariable('ALLOW_DIRECT_REQUESTS') === 'true')
    throw new Failed('The service still accepts requests that do not come through CloudFront.')
  return 'The service accepts requests through CloudFront alone.'
}

const Secret = z.object({ DeletedDate: z.optional(z.number()) })

/** Reads no password, only whether the secret exists. */
const checkAdminSecret = async ({ aws, stack }: Account): Promise<string> => {
  const { findOutput } = await stack()
  const SecretId = findOutput('AdminPasswordSecret')
  if (SecretId === undefined) return 'There is none: the first administrator is invited by email, or older.'
  const found = await orMissing((await aws()).json('secretsmanager', 'DescribeSecret', { SecretId }))
  if (found === undefined) throw new Failed('The secret does not exist.')
  if (read(Secret, found).DeletedDate !== undefined) throw new Failed('The secret is scheduled for deletion.')
  return 'It exists. Change the password after the first sign-in.'
}

const AccountSettings = z.object({
  AccountLimit: z.object({ ConcurrentExecutions: z.number(), UnreservedConcurrentExecutions: z.number() }),
})

/** Lambda requires that this many executions of an account are not reserved. */
const minUnreserved = 100

/** The executions of the account at the same time, and those that are not reserved. */
export const readConcurrency = async (
  client: Aws,
): Promise<{ readonly all: number; readonly free: number }> => {
  const answer = await client.get('lambda', '/2016-08-19/account-settings/')
  const limits = read(AccountSettings, answer).AccountLimit
  return { all: limits.ConcurrentExecutions, free: limits.UnreservedConcurrentExecutions }
}

const checkConcurrency = async ({ aws }: Account): Promise<string> => {
  const { all, free } = await readConcurrency(await aws())
  if (free < minUnreserved)
    throw new Failed(
      `The account has ${all} executions at the same time, of which ${all - free} are reserved.`,
    )
  return `${free} of ${all} executions are not reserved.`
}

const Page = z.object({ items: z.optional(z.array(z.unknown())), nextToken: z.optional(z.string()) })
/** What an account has without a request, and what should be left. */
const apiQuotas = [
  { path: 'routes', name: /^routes per/i, standard: 300, minLeft: 30 },
  { path: 'authorizers', name: /^authorizers per/i, standard: 10, minLeft: 1 },
] as const
const maxPages = 20

export const checkApiQuotas = async ({ aws, stack, template }: Account): Promise<string> => {
  const client = await aws()
  const api = requireOutput(await stack(), 'ApiId')
  const quotas = await readQuotas(client, 'apigateway')
  const found: string[] = []
  for (const { path, name, standard, minLeft } of apiQuotas) {
    const count = await countItems(client, `/v2/apis/${encodeURIComponent(api)}/${path}`)
    const quota = findQuota(quotas, name) ?? standard
    if (quota - count < minLeft) throw new Failed(`${count} of ${quota} ${path} are in use.`)
    found.push(`${count} of ${quota} ${path}`)
  }
  const requests = compareThrottle(quotas, (await template()).throttle)
  return `${[...found, ...requests].join(', ')}.`
}

/** Compares the requests that the service may have with those of all APIs of the account. */
const compareThrottle = (quotas: readonly Quota[], throttle: Throttle | undefined): readonly string[] => {
  if (!throttle) return []
  const perSecond = findQuota(quotas, /^throttle rate/i) ?? gatewayRequestsQuota.perSecond
  const inBurst = findQuota(quotas, /^throttle burst/i) ?? gatewayRequestsQuota.inBurst
  const { rate, burst } = throttle
  if (rate > perSecond || burst > inBurst)
    throw new Failed(
      `The service may have ${rate} requests a second and ${burst} in a burst, but the account has ${perSecond} and ${inBurst}.`,
    )
  return [`${rate} of ${perSecond} requests a second`]
}

const countItems = async (client: Aws, path: string): Promise<number> => {
  let count = 0
  let token = ''
  for (let at = 0; at < maxPages; at++) {
    const next = token ? `&nextToken=${encodeURIComponent(token)}` : ''
    const page = read(Page, await client.get('apigateway', `${path}?maxResults=500${next}`))
    count += page.items?.length ?? 0
    token = page.nextToken ?? ''
    if (!token) break
  }
  return count
}
