import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { ClientOptions } from './table-client.ts'

/** Creates the SDK's client, for commands of operators. Requests of the service use `TableClient`, which costs less. */
export const createDocumentClient = ({ endpoint }: ClientOptions): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(
    new DynamoDBClient({
      ...(endpoint ? { endpoint } : {}),
      maxAttempts: 4,
      requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
    }),
    { marshallOptions: { removeUndefinedValues: true } },
  )
