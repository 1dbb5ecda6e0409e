import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { CheckResult } from '../../../cli/verify/check.ts'
import { verifyDeployment } from '../../../cli/verify/run-verify.ts'
import { shareSynthesis } from '../../infra/synthesis.ts'
import { type AccountState, healthy, startAccount } from './account-stub.ts'

const full = await shareSynthesis('full')
const frontDoor = await shareSynthesis('frontDoor')
let synthesis = full
let state = healthy

const environment = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'test',
}

const stubs: Awaited<ReturnType<typeof startAccount>>[] = [
  await startAccount(full, () => state),
  await startAccount(frontDoor, () => state),
]
for (const name of ['AWS_PROFILE', 'AWS_SESSION_TOKEN', 'DYNAMODB_ENDPOINT']) delete process.env[name]
afterEach(() => {
  state = healthy
  synthesis = full
})
afterAll(async () => {
  await Promise.all(stubs.map(({ close }) => close()))
})

/** Nothing listens at the URL, because these tests look at the account alone. */
const unused = { token: undefined, mailTo: undefined, url: healthy.url }

const verifyAccount = async (named: {
  readonly stack?: string
  readonly table?: string
}): Promise<readonly CheckResult[]> => {
  const endpoint = stubs[synthesis === full ? 0 : 1]?.url
  Object.assign(process.env, environment, { AWS_ENDPOINT_URL: endpoint })
  const results: CheckResult[] = []
  await verifyDeployment(
    { ...unused, stack: named.stack, table: named.table },
    {
      signal: new AbortController().signal,
      checkMs: 60_000,
      onResult: (one) => results.push(one),
    },
  )
  return results.filter(({ area }) => area === 'inside')
}

const list = (results: readonly CheckResult[], status: CheckResult['status']) =>
  results.filter((one) => one.status === status).map(({ id, detail }) => `${id}: ${detail}`)

describe('an account in order', () => {
  it('passes all checks of the stack', async () => {
    const results = await verifyAccount({ stack: 'Latchkey' })
    expect(list(results, 'failed')).toEqual([])
    expect(list(results, 'skipped')).toEqual(['direct-requests: The service has no front door.'])
    expect(list(results, 'ok')).toHaveLength(13)
  })

  it('reports what the account allows beside what the service needs', async () => {
    state = { ...healthy, maxWriteUnits: 9000 }
    const lines = list(await verifyAccount({ stack: 'Latchkey' }), 'ok')
    expect(lines.find((line) => line.startsWith('routes:'))).toContain('1000 of 10000 requests a second')
    expect(lines).toContain(
      'table: The status is ACTIVE. It takes 12000 read units a second at once and up to 40000, 4000 write units a second at once and up to 9000.',
    )
    expect(lines).toContain(
      'ses-account: The account is outside of the sandbox. It sent 100 of 50000 emails in the last 24 hours, and may send 14 a second.',
    )
  })

  it('passes all checks of a stack with a front door', async () => {
    synthesis = frontDoor
    const results = await verifyAccount({ stack: 'Latchkey' })
    expect(list(results, 'failed')).toEqual([])
    expect(list(results, 'skipped')).toEqual([
      'backup: The setting backup is off.',
      'ses-account: mailFrom is not set, so the service sends no email.',
      'ses-identity: mailFrom is not set, so the service sends no email.',
    ])
  })

  it('passes backups with copies in another region', async () => {
    state = { ...healthy, copyHoursAgo: 4 }
    const results = await verifyAccount({ stack: 'Latchkey' })
    expect(list(results, 'ok')).toContain(
      'backup: The latest of 2 backups is 5 hours old, and its copy is in another region.',
    )
  })

  it('passes what a table alone allows', async () => {
    const results = await verifyAccount({ table: 'Latchkey-AuthTable' })
    expect(list(results, 'failed')).toEqual([])
    expect(list(results, 'ok').map((line) => line.replace(/:.*/, ''))).toEqual([
      'concurrency',
      'table',
      'recovery',
      'keys',
    ])
  })

  it('skips what the credentials may not read', async () => {
    state = { ...healthy, denied: 'DescribeAlarms' }
    const results = await verifyAccount({ stack: 'Latchkey' })
    expect(list(results, 'failed')).toEqual([])
    expect(list(results, 'skipped')).toEqual([
      'direct-requests: The service has no front door.',
      'alarms: The AWS credentials may not call monitoring:DescribeAlarms.',
      'alarm-email: The AWS credentials may not call monitoring:DescribeAlarms.',
    ])
  })
})

describe('an account with a problem', () => {
  const limited = /,"Condition":\{"ForAllValues:StringLike":\{"dynamodb:LeadingKeys":.*?\},"Null":.*?\}\}/
  it.each<[Partial<AccountState>, string]>([
    [{ stackStatus: 'UPDATE_ROLLBACK_FAILED' }, 'stack: The status of the stack is UPDATE_ROLLBACK_FAILED.'],
    [{ url: 'https://other.example.com' }, 'stack: The stack serves https://other.example.com instead of'],
    [{ alterTemplate: (text) => text.replace(limited, '') }, 'grants: 1 of '],
    [{ alarm: 'ALARM' }, 'docs/operate.md#requests-that-fail'],
    [{ hasAllAlarms: false }, 'alarms: 1 alarms were deleted.'],
    [
      { subscription: 'PendingConfirmation' },
      'alarm-email: The subscription in eu-central-1 is not confirmed',
    ],
    [
      { subscription: 'Deleted' },
      'alarm-email: The topic of the alarms in eu-central-1 has no subscription.',
    ],
    [{ isInProduction: false }, 'ses-account: The account is in the SES sandbox'],
    [{ sendingEnabled: false }, 'ses-account: SES has paused sending'],
    [{ verified: [] }, 'ses-identity: SES does not know the address of mailFrom'],
    [{ unreserved: 10 }, 'concurrency: The account has 1000 executions at the same time, of which 990 are'],
    [{ routes: 290 }, 'routes: 290 of 300 routes are in use.'],
    [
      { requestsQuota: 999 },
      'routes: The service may have 1000 requests a second and 2000 in a burst, but the account has 999 and 5000.',
    ],
    [
      { maxWriteUnits: 10_001 },
      'table: The table may take 10001 write units a second, but the quota is 10000.',
    ],
    [{ emailsSent: 45_000 }, 'ses-account: The account sent 45000 of 50000 emails in the last 24 hours.'],
    [{ recovery: 'DISABLED' }, 'recovery: Not turned on: point-in-time recovery.'],
    [{ expiry: 'DISABLED' }, 'recovery: Not turned on: the expiry of items.'],
    [{ backupHoursAgo: 72 }, 'backup: There is no backup of the last two days.'],
    [{ copyHoursAgo: 72 }, 'backup: There is no copy of the last two days in eu-west-1.'],
    [{ tableStatus: 'INACCESSIBLE_ENCRYPTION_CREDENTIALS' }, 'table: The table has the status INACCESSIBLE'],
    [{ key: 'PendingDeletion' }, 'keys: The key of the table has the state PendingDeletion.'],
    [{ deletedDate: 1 }, 'admin-secret: The secret is scheduled for deletion.'],
  ])('is found: %o', async (problem, sentence) => {
    state = { ...healthy, ...problem }
    const failed = list(await verifyAccount({ stack: 'Latchkey' }), 'failed')
    expect(failed).toEqual([expect.stringContaining(sentence)])
  })

  it('is found if requests can go past the front door', async () => {
    synthesis = frontDoor
    const turnOn = (text: string) =>
      text.replaceAll('"ALLOW_DIRECT_REQUESTS":"false"', '"ALLOW_DIRECT_REQUESTS":"true"')
    state = { ...healthy, alterTemplate: turnOn }
    const failed = list(await verifyAccount({ stack: 'Latchkey' }), 'failed')
    expect(failed).toEqual([expect.stringContaining('direct-requests: The service still accepts')])
  })

  it.each<[Partial<AccountState>, string]>([
    [{ alarm: 'ALARM' }, 'alarms: '],
    [{ subscription: 'PendingConfirmation' }, 'alarm-email: The subscription in us-east-1 is not confirmed'],
  ])('is found at the front door, in its region: %o', async (problem, sentence) => {
    synthesis = frontDoor
    state = { ...healthy, ...problem, region: 'us-east-1' }
    const failed = list(await verifyAccount({ stack: 'Latchkey' }), 'failed')
    expect(failed).toEqual([expect.stringContaining(sentence)])
  })

  it.each([
    ['a page', { status: 200, body: '<html>Sign in to the network</html>' }],
    ['nothing', { status: 200, body: '' }],
    ['a list instead of an object', { status: 200, body: '[]' }],
    ['too much', { status: 200, body: 'x'.repeat(9_000_000) }],
    [
      'an expired token',
      { status: 403, body: '{"__type":"ExpiredTokenException","message":"SECRET-TOKEN"}' },
    ],
  ])('is found if AWS answers with %s', async (_, answer) => {
    state = { ...healthy, answer }
    const results = await verifyAccount({ stack: 'Latchkey' })
    expect(list(results, 'ok')).toEqual([])
    expect(list(results, 'failed').join()).toMatch(/stack: |concurrency: /)
    expect(JSON.stringify(results)).not.toContain('SECRET-TOKEN')
  })
})
