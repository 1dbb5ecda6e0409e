import { afterAll, describe, expect, it } from 'vitest'
import type { CheckResult } from '../../cli/verify/check.ts'
import { verifyDeployment } from '../../cli/verify/run-verify.ts'
import { healthy, startAccount } from '../cli/verify/account-stub.ts'
import type { TableCall } from '../infra/dynamodb-proxy.ts'
import { startStub } from '../infra/stub-server.ts'
import { shareSynthesis } from '../infra/synthesis.ts'
import { startDeployedService } from '../runner/deployed-service.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { sendConfig } from '../support/config-function.ts'
import { addSignedIn } from '../support/people.ts'

let isIndexRefused = false
let areTransactionsRefused = false
const refuse = ({ action, input }: Pick<TableCall, 'action' | 'input'>) => {
  if (isIndexRefused && input.IndexName !== undefined) return 'dynamodb:Query is not allowed'
  return areTransactionsRefused && action === 'TransactWriteItems'
    ? 'dynamodb:PutItem is not allowed'
    : undefined
}

/* The command verifies what the template deploys, with an account that describes the same template. */

const service = closeAfterTests(await startDeployedService({}, { tableHooks: { refuse } }))
const token: string = (await addSignedIn(service, { permissions: ['system:admin-access'] })).bearer
/** The URL of the function for files, behind IAM. */
const files = closeAfterTests(
  await startStub(async ({ path, body }) => {
    const answer = await sendConfig(service, path, {}, { raw: body })
    return { status: answer.status, body: JSON.stringify(answer.body) }
  }),
)
const account = closeAfterTests(
  await startAccount(await shareSynthesis('service'), () => ({
    ...healthy,
    ...{ url: service.url, configUrl: files.url },
  })),
)
process.env['AWS_ENDPOINT_URL'] = account.url
afterAll(() => delete process.env['AWS_ENDPOINT_URL'])

const verify = async (hasProbes = false): Promise<readonly CheckResult[]> => {
  const results: CheckResult[] = []
  await verifyDeployment(
    {
      ...{ url: service.url, token, mailTo: 'ops@example.com', stack: 'Latchkey', table: undefined },
      hasProbes,
      // A busy machine is as fast as any other one.
      now: () => 0,
    },
    {
      signal: new AbortController().signal,
      checkMs: 60_000,
      callMs: 60_000,
      onResult: (result) => results.push(result),
    },
  )
  return results
}
const idsOf = (results: readonly CheckResult[], status: CheckResult['status']) =>
  results.filter((one) => one.status === status).map(({ id }) => id)

describe('verify', () => {
  it('passes a deployed service', async () => {
    const results = await verify()
    expect(results.filter(({ status }) => status === 'failed')).toEqual([])
    expect(idsOf(results, 'skipped')).toEqual([
      ...['dns', 'certificate', 'http', 'saml'],
      ...['direct-requests', 'backup'],
    ])
    expect(service.mailbox.mails.some(({ to }) => to.includes('ops@example.com'))).toBe(true)
  })

  it('finds that wholeTableGrants is needed, as roles do not allow the lists', async () => {
    isIndexRefused = true
    const results = await verify()
    isIndexRefused = false
    expect(idsOf(results, 'failed')).toContain('lists')
    expect(results.find(({ id }) => id === 'lists')?.advice).toContain('deploy with wholeTableGrants')
    expect(idsOf(results, 'ok')).toContain('clean-up')
  })

  it('answers what only a real account can say, of one whose model has no surprises', async () => {
    const probes = (await verify(true)).filter(({ area }) => area === 'probe')
    expect(probes.filter(({ status }) => status === 'failed')).toEqual([])
    expect(idsOf(probes, 'skipped')).toEqual(['probe-regions'])
    expect(service.mailbox.mails.some(({ to }) => to.includes('success@simulator.amazonses.com'))).toBe(true)
  })

  it('finds that conditions on keys refuse transactions', async () => {
    areTransactionsRefused = true
    const results = await verify(true)
    areTransactionsRefused = false
    const found = results.find(({ id }) => id === 'probe-leading-keys')
    expect(found).toMatchObject({ status: 'failed', advice: expect.stringContaining('wholeTableGrants') })
  })
})
