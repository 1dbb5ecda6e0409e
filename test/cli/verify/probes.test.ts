import { readFileSync } from 'node:fs'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { CheckResult } from '../../../cli/verify/check.ts'
import { formatProbeReport } from '../../../cli/verify/probe-report.ts'
import { shareSynthesis } from '../../infra/synthesis.ts'
import { closeAfterTests } from '../../support/close-after-tests.ts'
import { deployerEnvironment, startFunctionUrl } from '../../support/config-function.ts'
import { makeFolder, startVerify } from '../command.ts'
import { type AccountState, healthy, startAccount } from './account-stub.ts'
import { type Change, onPath, startChangingService } from './changing-service.ts'

/* Each probe answers yes on an account in order, and no once its fault is there. */

const running = closeAfterTests(await startChangingService())
const functionUrl = closeAfterTests(await startFunctionUrl(running.service))
/** Lambda says that the function was invoked without the alias of its URL. */
const withoutAlias = closeAfterTests(
  await startFunctionUrl(running.service, { invokedAs: 'arn:aws:lambda:local:000000000000:function:config' }),
)
const inOrder: AccountState = { ...healthy, url: running.url, configUrl: functionUrl.url }
let state = inOrder
const alarmStates: string[] = []
const accounts = {
  full: closeAfterTests(await startAccount(await shareSynthesis('full'), () => state, alarmStates)),
  frontDoor: closeAfterTests(await startAccount(await shareSynthesis('frontDoor'), () => state)),
}
const environment = deployerEnvironment
const folder = makeFolder()
const tableEndpoint = process.env['DYNAMODB_ENDPOINT']
afterEach(() => {
  state = inOrder
  running.setChange(() => {})
  process.env['DYNAMODB_ENDPOINT'] = tableEndpoint
})
afterAll(() => {
  for (const name of [...Object.keys(environment), 'AWS_ENDPOINT_URL']) delete process.env[name]
  folder.remove()
})

interface Given {
  readonly account?: keyof typeof accounts
  readonly stack?: string | undefined
  readonly token?: string | undefined
  readonly now?: () => number
}

const probe = async ({ account = 'full', ...given }: Given = {}): Promise<readonly CheckResult[]> => {
  Object.assign(process.env, environment, { AWS_ENDPOINT_URL: accounts[account].url })
  const results = await running.verify({
    stack: 'Latchkey',
    now: () => 0,
    pause: async () => {},
    ...given,
    hasProbes: true,
  })
  return results.filter(({ area }) => area === 'probe')
}
const list = (results: readonly CheckResult[], status: CheckResult['status']) =>
  results.filter((one) => one.status === status).map(({ id, detail }) => `${id}: ${detail}`)

it('there are ten probes, and each is explained', async () => {
  const results = await probe()
  expect(results).toHaveLength(10)
  const page = readFileSync('docs/first-deployment.md', 'utf8')
  for (const { id, title } of results) expect(page).toContain(`| \`${id}\` | ${title} |`)
})

describe('an account in order', () => {
  it('gets yes for all of them', async () => {
    const results = await probe()
    expect(list(results, 'failed')).toEqual([])
    expect(list(results, 'skipped')).toEqual(['probe-regions: The service uses one region.'])
    for (const { detail, status } of results) if (status === 'ok') expect(detail).toMatch(/^Yes\. /)
    expect(await running.findRemaining()).toEqual([])
  })

  it('gets yes for other regions with a front door, or with copies of backups', async () => {
    const withFrontDoor = list(await probe({ account: 'frontDoor' }), 'ok')
    expect(withFrontDoor.join()).toContain(
      'probe-regions: Yes. The alarms in us-east-1 watch the distribution.',
    )
    state = { ...inOrder, copyHoursAgo: 4 }
    expect(list(await probe(), 'ok').join()).toContain('Backups are copied to a vault in eu-west-1.')
  })

  it('sets an alarm, and resets it', async () => {
    alarmStates.length = 0
    await probe()
    expect(alarmStates).toEqual(['ALARM', 'OK'])
  })

  it('is asked nothing about itself without credentials of AWS and of an administrator', async () => {
    const results = await probe({ stack: undefined, token: undefined })
    expect(list(results, 'failed')).toEqual([])
    expect(list(results, 'ok').map((line) => line.replace(/:.*/, ''))).toEqual(['probe-routes', 'probe-waf'])
  })
})

describe('an account with a surprise', () => {
  const asGateway: Change = onPath(/^GET \/api\/2\/groups\?|^GET \/api\/2\/groups$/, (answer) => {
    answer.status = 404
    answer.headers.delete('x-request-id')
    answer.body = '{"message":"Not Found"}'
  })
  const asFirewall: Change = onPath(/server\.log/, (answer) => {
    answer.status = 403
    answer.headers.delete('x-request-id')
    answer.body = '<html>Request blocked</html>'
  })
  const failing = (pattern: RegExp): Change =>
    onPath(pattern, (answer) => {
      answer.status = 500
    })
  let late = 0
  const slowTickets: Change = onPath(/^POST \/api\/2\/auth\/ticket$/, () => {
    late += 400
  })

  it.each<[id: string, answer: string, fault: Given & { change?: Change; state?: Partial<AccountState> }]>([
    [
      'probe-leading-keys',
      'The service failed to list users',
      { change: failing(/^GET \/api\/2\/users\?limit=1$/) },
    ],
    ['probe-leading-keys', 'The answer was 500', { change: failing(/^POST \/api\/2\/auth\/ticket$/) }],
    ['probe-routes', 'No. For GET /api/2/groups: The answer was 404', { change: asGateway }],
    [
      'probe-routes',
      'No. The API lacks 1 routes, such as ANY /api/2/users.',
      { state: { lackedRoute: 'ANY /api/2/users' } },
    ],
    [
      'probe-files',
      'No. Send a request to the URL of this function, signed',
      { state: { configUrl: withoutAlias.url } },
    ],
    ['probe-events', 'No. After 26 seconds', { state: { runsEvents: false } }],
    [
      'probe-regions',
      'No. The alarms in us-east-1',
      { account: 'frontDoor', state: { watchesDistribution: false } },
    ],
    [
      'probe-regions',
      'No. The vault of copies does not exist in eu-west-1.',
      { state: { copyHoursAgo: 4, hasCopyVault: false } },
    ],
    [
      'probe-transaction',
      'No. A transaction takes 400 ms more than a read.',
      { change: slowTickets, now: () => late },
    ],
    [
      'probe-waf',
      'No. Another server answered an address that ends with .log with 403',
      { change: asFirewall },
    ],
    [
      'probe-mail',
      'The answer was 500',
      { change: failing(/^POST \/api\/2\/auth\/access-tokens\/\d+\/email$/) },
    ],
    ['probe-quotas', 'No. Lambda: 10 executions', { state: { executions: 10 } }],
    [
      'probe-quotas',
      'No. Lambda: 1000 executions at the same time. SES: 200 emails',
      { state: { emailsADay: 200 } },
    ],
    [
      'probe-alarms',
      'No. CloudWatch could not inform the topic: Failed to execute action',
      { state: { history: 'Failed to execute action arn:aws:sns:eu-central-1:111122223333:alarms' } },
    ],
  ])('gets no from %s: %s', async (id, answer, { change, state: problem, ...given }) => {
    late = 0
    state = { ...inOrder, ...problem }
    if (change) running.setChange(change)
    const results = await probe(given)
    const failed = results.filter((one) => one.status === 'failed')
    expect(failed.map((one) => one.id)).toContain(id)
    const found = failed.find((one) => one.id === id)
    expect(found?.detail).toContain(answer)
    expect(found?.advice?.length).toBeGreaterThan(20)
    expect(await running.findRemaining()).toEqual([])
  })
})

describe('the report', () => {
  it('of the command names neither the service, its account nor a credential', async () => {
    state = {
      ...inOrder,
      executions: 10,
      history: 'Failed to execute action arn:aws:sns:x:111122223333:alarms',
    }
    const report = `${folder.path}/probes.json`
    const args = ['--url', running.url, '--stack', 'Latchkey', '--probe', '--report', report]
    const { stdout, stderr } = await startVerify(args, {
      ...environment,
      AWS_ENDPOINT_URL: accounts.full.url,
      LATCHKEY_TOKEN: running.admin,
    }).ended
    expect(stderr).toBe('')
    expect(stdout).toContain(`${report}.md`)
    const written = readFileSync(`${report}.md`, 'utf8')
    expect(written).toMatch(/^\| Do roles with .* \| yes \|/m)
    expect(written).toMatch(
      /^\| Are the quotas .* \| \*\*no\*\* \| No\. Lambda: 10 executions .* \| Ask AWS/m,
    )
    for (const secret of [
      running.admin,
      new URL(running.url).host,
      '111122223333',
      'arn:aws',
      'lks_',
      environment.AWS_ACCESS_KEY_ID,
    ])
      expect(written).not.toContain(secret)
    for (const secret of [running.admin, '111122223333', environment.AWS_ACCESS_KEY_ID])
      expect(readFileSync(report, 'utf8') + stdout).not.toContain(secret)
  })

  it('keeps what a service could put into it from looking like a part of it', () => {
    const found = 'x | y https://auth.example.com/a ops@example.com Latchkey-AuthTable 123456789012'
    const text = formatProbeReport(
      [
        {
          id: 'probe-waf',
          area: 'probe',
          title: 'A question?',
          status: 'failed',
          detail: found,
          durationMs: 1,
        },
      ],
      { at: '2026-11-26T00:00:00.000Z', version: '0.1.0', names: ['Latchkey-AuthTable', undefined] },
    )
    expect(text).toContain('| A question? | **no** | x \\| y https://… … … … |  |')
  })
})
