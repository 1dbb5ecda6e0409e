import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { embeddedEngineSigner } from './embedded-engine-signer.ts'

export interface ClientOptions {
  readonly endpoint?: string | undefined
  /** Whether the endpoint is the embedded engine, which checks no signatures. */
  readonly isEmbeddedEngine?: boolean | undefined
}

/**
 * Creates the client of the table. It leaves out what the SDK does for each call without use for this service. That is
 * about a fifth of the CPU time of a call, and several of a request's calls are made at a small share of a CPU.
 */
export const createClient = ({ endpoint, isEmbeddedEngine }: ClientOptions): DynamoDBDocumentClient => {
  const client = new DynamoDBClient({
    ...(endpoint ? { endpoint } : {}),
    ...(isEmbeddedEngine ? { signer: embeddedEngineSigner } : {}),
    maxAttempts: 4,
    requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
  })
  // It copies each input and output for a logger, which this client does not have.
  client.middlewareStack.remove('loggerMiddleware')
  // It builds the same header for each call.
  client.middlewareStack.remove('getUserAgentMiddleware')
  reuseSigner(client)
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } })
}

/** The SDK creates a signer for each call. A signer asks for the credentials itself, so that they may be renewed. */
const reuseSigner = ({ config }: DynamoDBClient): void => {
  const createSigner = config.signer
  let signer: ReturnType<typeof createSigner> | undefined
  config.signer = (authScheme) => {
    signer ??= createSigner(authScheme)
    return signer
  }
}
