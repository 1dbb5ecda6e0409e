import { createSignCall, findAccount } from './account.ts'
import { toFetchHeaders } from './fetch-headers.ts'

/** The domains of AWS partitions. */
const domains = new Map([
  ['aws', 'amazonaws.com'],
  ['aws-us-gov', 'amazonaws.com'],
  ['aws-cn', 'amazonaws.com.cn'],
  ['aws-eusc', 'amazonaws.eu'],
])

interface InvokedFunction {
  readonly arn: string
  readonly region: string
  readonly partition: string
}

/** Builds the signed call of Lambda that invokes a function and waits for its result. */
export const signInvocation = async ({ arn, region, partition }: InvokedFunction, body: string) => {
  const endpoint = process.env['AWS_ENDPOINT_URL_LAMBDA'] || process.env['AWS_ENDPOINT_URL']
  const url = new URL(
    `/2015-03-31/functions/${encodeURIComponent(arn)}/invocations`,
    endpoint || `https://lambda.${region}.${domains.get(partition)}`,
  )
  const { credentials } = await findAccount()
  const sign = createSignCall({ region, url, credentials }, 'lambda')
  const signed = await sign({ 'content-type': 'application/json' }, body)
  return { url, headers: toFetchHeaders(signed) }
}
