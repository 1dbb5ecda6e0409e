import { afterAll, describe, expect, it } from 'vitest'
import type { CheckResult } from '../../cli/verify/check.ts'
import { verifyDeployment } from '../../cli/verify/run-verify.ts'
import { healthy, startAccount } from '../cli/verify/account-stub.ts'
import { shareSynthesis } from '../infra/synthesis.ts'
import { startDeployedService } from '../runner/deployed-service.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { addSignedIn } from '../support/people.ts'

let isIndexRefused = false
const refuse = ({ input }: { readonly input: { readonly IndexName?: unknown } }) =>
  isIndexRefused && input.IndexName !== undefined ? 'dynamodb:Query is not allowed' : undefined

/* The command verifies what the template deploys, with an account that describes the same template. */

const service = closeAfterTests(await startDeployedService({}, { tableHooks: { refuse } }))
const token: string = (await addSignedIn(service, { permissions: ['system:admin-access'] })).bearer
const account = closeAfterTests(
  await startAccount(await shareSynthesis('service'), () => ({ ...healthy, url: service.url })),
)
process.env['AWS_ENDPOINT_URL'] = account.url
afterAll(() => delete process.env['AWS_ENDPOINT_URL'])

const verify = async (): Promise<readonly CheckResult[]> => {
  const results: CheckResult[] = []
  await verifyDeployment(
    { url: service.url, token, mailTo: 'ops@example.com', stack: 'Latchkey', table: undefined },
    {
      signal: new AbortController().signal,
      checkMs: 60_000,
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
})
