import aws4 from 'aws4'

type Headers = Readonly<Record<string, string>>

/** Returns the headers of a call with those that say who makes it. */
export type SignCall = (headers: Headers, body: string) => Promise<Headers>

/** Signs calls with the credentials of the account (AWS Signature Version 4), by default those to the table. */
export const createSignCall =
  ({ region, url, credentials }: Account, service = 'dynamodb'): SignCall =>
  async (headers, body) => {
    const request = { method: 'POST', path: url.pathname, service, region, body }
    const signed = aws4.sign({ ...request, headers: { ...headers, host: url.host } }, await credentials())
    return signed.headers as Headers
  }

const authorization =
  'AWS4-HMAC-SHA256 Credential=local/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0'

/**
 * Names the user of the embedded engine in a call. The engine requires a signature but does not check it, and to compute
 * one takes half of the CPU time of a call.
 */
export const nameLocalUser: SignCall = async (headers) => ({
  ...headers,
  authorization,
  'x-amz-date': '20260101T000000Z',
})

interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** Where calls go, and who makes them. */
export interface Account {
  readonly region: string
  readonly url: URL
  /** Returns valid credentials. They are renewed in time where they expire. */
  readonly credentials: () => Promise<Credentials>
}

/**
 * Finds the AWS account of the process. Lambda passes all of it in the environment. Everywhere else the SDK searches for
 * it, in profiles, containers and instances.
 *
 * @throws Error of the SDK if there are no credentials or no region
 */
export const findAccount = async (endpoint?: string): Promise<Account> => {
  const { AWS_PROFILE, AWS_REGION: region, AWS_SESSION_TOKEN: sessionToken } = process.env
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = process.env
  if (AWS_PROFILE || !region || !accessKeyId || !secretAccessKey) return findWithSdk(endpoint)
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) }
  const { AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL } = process.env
  const url = endpoint || AWS_ENDPOINT_URL_DYNAMODB || AWS_ENDPOINT_URL || regionalUrl(region)
  if (!url) return findWithSdk()
  return { region, url: new URL(url), credentials: async () => credentials }
}

/**
 * The endpoint of DynamoDB in a region of the public partition. Undefined for all others, and for endpoints with FIPS or
 * IPv6: the SDK knows them, but takes longer to load.
 */
const regionalUrl = (region: string): string | undefined => {
  const { AWS_USE_FIPS_ENDPOINT, AWS_USE_DUALSTACK_ENDPOINT } = process.env
  const isSpecial = AWS_USE_FIPS_ENDPOINT === 'true' || AWS_USE_DUALSTACK_ENDPOINT === 'true'
  if (isSpecial || !/^(af|ap|ca|eu|il|me|mx|sa|us)-[a-z]+-\d$/.test(region)) return undefined
  return `https://dynamodb.${region}.amazonaws.com`
}

const findWithSdk = async (endpoint?: string): Promise<Account> => {
  const { DynamoDBClient } = await import('@aws-sdk/client-dynamodb')
  const { config } = new DynamoDBClient()
  const region = await config.region()
  const { url } = config.endpointProvider({
    Region: region,
    Endpoint: endpoint || process.env['AWS_ENDPOINT_URL_DYNAMODB'] || process.env['AWS_ENDPOINT_URL'],
    UseFIPS: await config.useFipsEndpoint(),
    UseDualStack: await config.useDualstackEndpoint(),
  })
  return { region, url, credentials: config.credentials }
}
