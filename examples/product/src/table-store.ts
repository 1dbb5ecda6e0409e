import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
} from '@aws-sdk/lib-dynamodb'
import { createValue, hashValue, isActive, type Session, type SessionStore } from './session-store.ts'

/** Keeps sessions in a DynamoDB table with the key `id`, the index `by-sid`, and `expiresAt` as time to live. */
export const createTableStore = (TableName: string): SessionStore => {
  const table = DynamoDBDocumentClient.from(new DynamoDBClient(), {
    marshallOptions: { removeUndefinedValues: true },
  })
  return {
    create: async (session) => {
      const value = createValue()
      await table.send(new PutCommand({ TableName, Item: { ...session, id: hashValue(value) } }))
      return value
    },
    find: async (value) => {
      const Key = { id: hashValue(value) }
      const { Item } = await table.send(new GetCommand({ TableName, Key, ConsistentRead: true }))
      const session = Item as Session | undefined
      return session && isActive(session) ? session : undefined
    },
    remove: async (value) => {
      await table.send(new DeleteCommand({ TableName, Key: { id: hashValue(value) } }))
    },
    removeBySid: async (sid) => {
      const query = {
        TableName,
        IndexName: 'by-sid',
        KeyConditionExpression: 'sid = :sid',
        ExpressionAttributeValues: { ':sid': sid },
      }
      for await (const { Items = [] } of paginateQuery({ client: table }, query))
        for (const { id } of Items) await table.send(new DeleteCommand({ TableName, Key: { id } }))
    },
  }
}
