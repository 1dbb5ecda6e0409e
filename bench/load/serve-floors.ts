import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { BatchGetCommand, DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { SAML } from '@node-saml/node-saml'
import bcrypt from 'bcryptjs'
import { type IndexName, keyNamesOf } from '../../lib/kernel/table/table.ts'
import { startHashThreads } from '../../local/hash-threads.ts'
import { serveBare } from './bare-server.ts'

/*
 * Serves what the aims compare with, each behind the bare gateway: nothing at all, the one table call that authenticates
 * a request, one password hash in one thread or in one for each core, and one verification of a SAML response. `FLOORS`
 * has their data as JSON.
 */

export interface FloorData {
  readonly tableName: string
  readonly endpoint: string
  /** The items of a session and its user. */
  readonly keys: readonly Readonly<Record<string, string>>[]
  readonly password: string
  readonly hash: string
  readonly idpCertificate: string
  readonly audience: string
  readonly acsUrl: string
}

const list = 'listing' satisfies IndexName
const hashThreads = startHashThreads()
const data: FloorData = JSON.parse(process.env['FLOORS'] ?? '')
const table = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: data.endpoint }))

const readItems = async (keys: FloorData['keys']): Promise<number> => {
  const Keys = keys.map((key) => ({ ...key }))
  const { Responses } = await table.send(
    new BatchGetCommand({ RequestItems: { [data.tableName]: { Keys, ConsistentRead: true } } }),
  )
  return Responses?.[data.tableName]?.length ?? 0
}

/** Reads the keys of a page of users, as the list by ID does. */
const readPageKeys = async (): Promise<FloorData['keys']> => {
  const { Items = [] } = await table.send(
    new QueryCommand({
      TableName: data.tableName,
      IndexName: list,
      KeyConditionExpression: `${keyNamesOf(list).partitionKey} = :list`,
      ExpressionAttributeValues: { ':list': 'user' },
      Limit: 20,
    }),
  )
  return Items.map(({ pk, sk }) => ({ pk, sk }))
}

const verify = async (form: string): Promise<boolean> => {
  const saml = new SAML({
    idpCert: data.idpCertificate,
    issuer: data.audience,
    callbackUrl: data.acsUrl,
    wantAuthnResponseSigned: false,
  })
  const SAMLResponse = new URLSearchParams(form).get('SAMLResponse') ?? ''
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse })
  return profile !== null
}

const floors: Readonly<Record<string, (body: string) => Promise<boolean>>> = {
  '/gateway': async () => true,
  '/sdk-call': async () => (await readItems(data.keys)) === data.keys.length,
  '/sdk-query': async () => (await readPageKeys()).length > 0,
  '/sdk-page': async () => (await readItems(await readPageKeys())) > 0,
  '/bcrypt': () => bcrypt.compare(data.password, data.hash),
  '/bcrypt-threads': () => hashThreads.verify(data.password, data.hash, bcrypt.getRounds(data.hash)),
  '/node-saml': verify,
}

serveBare(async (_, { rawPath, body = '' }) => {
  const hasPassed = await floors[rawPath]?.(Buffer.from(body, 'base64').toString())
  return {
    statusCode: hasPassed ? 200 : 500,
    headers: { 'content-type': 'application/json' },
    body: '{}',
  }
})
