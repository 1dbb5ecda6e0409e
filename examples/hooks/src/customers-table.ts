import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import type { Customer } from './customers.ts'

// A hook has one attempt, and little time.
const table = DynamoDBDocumentClient.from(
  new DynamoDBClient({ maxAttempts: 2, requestHandler: { requestTimeout: 500 } }),
)

export const readCustomer = async (name: string, email: string): Promise<Customer | undefined> => {
  const { Item } = await table.send(new GetCommand({ TableName: name, Key: { email } }))
  return Item as Customer | undefined
}
