import { describe, expect, it } from 'vitest'
import { grants } from '../../infra/grants/grants.ts'
import type { FunctionName } from '../../lib/kernel/contract/group.ts'
import { eventIndexPartitions } from '../../lib/kernel/table/keys/audit-keys.ts'
import { userKey } from '../../lib/kernel/table/keys/keys.ts'
import { partitions } from '../../lib/kernel/table/keys/partitions.ts'
import { type IndexName, indexNames, keyNamesOf } from '../../lib/kernel/table/table.ts'
import { factsOf, tableArn } from '../runner/template-facts.ts'
import type { TableCall } from './dynamodb-proxy.ts'
import { resolve } from './intrinsics.ts'
import { neededPermissions } from './needed-permissions.ts'
import { allows, statementsOf } from './policies.ts'
import { resourcesOf, shareSynthesis } from './synthesis.ts'

/* Roles limit each action to the partitions that a function needs, by the condition `dynamodb:LeadingKeys`. */

const { template } = await shareSynthesis('full')
/** DynamoDB allows names of 255 characters. */
const tableName = 'T'.repeat(255)
const facts = factsOf(template, tableName)
const functions = new Map(
  resourcesOf(template, 'AWS::Lambda::Function').map(([id, { Properties }]) => [
    Properties.Description.replace('Latchkey: ', ''),
    { roleId: Properties.Role['Fn::GetAtt'][0], statements: statementsOf(template, id, facts) },
  ]),
)

const mayCall = (name: FunctionName, action: string, input: TableCall['input']): boolean =>
  neededPermissions({ action, input: { TableName: tableName, ...input } }, tableArn).every((needed) =>
    allows(functions.get(name)?.statements ?? [], needed.action, needed.resource, {
      'dynamodb:LeadingKeys': needed.leadingKeys,
    }),
  )

const itemActions = ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'] as const
type ItemAction = (typeof itemActions)[number]
const keyIn = (pk: string) => ({ pk: { S: pk.endsWith('#') ? `${pk}1` : pk }, sk: { S: 'any' } })
const inputOf = (action: ItemAction, pk: string) =>
  action === 'PutItem' ? { Item: keyIn(pk) } : { Key: keyIn(pk) }
const query = (pk: string, IndexName?: IndexName) => ({
  IndexName,
  KeyConditionExpression: '#n1 >= :v1 AND #n0 = :v0',
  ExpressionAttributeNames: {
    '#n0': keyNamesOf(IndexName).partitionKey,
    '#n1': keyNamesOf(IndexName).sortKey,
  },
  ExpressionAttributeValues: { ':v0': { S: keyIn(pk).pk.S }, ':v1': { S: 'from' } },
})

describe('a role', () => {
  it.each(Object.entries(grants))('of %s allows each action only in its partitions', (given, { table }) => {
    const name = given as FunctionName
    for (const pk of Object.values(partitions)) {
      // A grant can be for a part of the keys that begin like this.
      const isKnown = (action: keyof typeof table) =>
        table[action]?.some((key) => key.startsWith(pk)) ?? false
      for (const action of itemActions)
        if (!isKnown(action))
          expect(mayCall(name, action, inputOf(action, pk)), `${action} ${pk}`).toBe(false)
      if (!isKnown('Query')) expect(mayCall(name, 'Query', query(pk)), `Query ${pk}`).toBe(false)
    }
    for (const action of itemActions)
      for (const pk of table[action] ?? []) expect(mayCall(name, action, inputOf(action, pk))).toBe(true)
    for (const pk of table.Query ?? []) expect(mayCall(name, 'Query', query(pk))).toBe(true)
  })

  it.each([...functions.keys()] as FunctionName[])('of %s denies a call that names no partition', (name) => {
    for (const action of [...itemActions, 'Query', 'Scan'])
      for (const IndexName of [undefined, ...indexNames])
        expect(mayCall(name, action, { IndexName })).toBe(false)
  })

  it('does not allow to write SAML providers for creating tickets', () => {
    expect(mayCall('connections', 'PutItem', inputOf('PutItem', partitions.connection))).toBe(true)
    for (const action of itemActions)
      expect(mayCall('tickets', action, inputOf(action, partitions.connection))).toBe(false)
  })

  it('allows to write tickets only for creating them, which a SAML sign-in does as well', () => {
    const names = Object.keys(grants) as FunctionName[]
    const creators = names.filter((name) => mayCall(name, 'PutItem', inputOf('PutItem', partitions.ticket)))
    expect(creators.sort()).toEqual(['connection-flow', 'tickets'])
  })

  it('does not allow to read users for the feedback about emails', () => {
    expect(mayCall('mail-events', 'GetItem', inputOf('GetItem', partitions.email))).toBe(true)
    expect(mayCall('mail-events', 'GetItem', inputOf('GetItem', partitions.user))).toBe(false)
    expect(mayCall('mail-events', 'Query', query(partitions.user))).toBe(false)
  })

  it('gives only the setup the marker of the first administrator', () => {
    const key = { Key: { pk: { S: `${partitions.setup}first-admin` }, sk: { S: 'setup' } } }
    const names = Object.keys(grants) as FunctionName[]
    expect(names.filter((name) => mayCall(name, 'GetItem', key))).toEqual(['first-admin'])
  })

  it('gives private signing keys to the functions that sign, and changes of keys to the one that rotates them', () => {
    const names = Object.keys(grants) as FunctionName[]
    const reads = (pk: string) => (name: FunctionName) =>
      mayCall(name, 'GetItem', inputOf('GetItem', pk)) || mayCall(name, 'Query', query(pk))
    const writes = (name: FunctionName) =>
      [partitions.signingKeys, partitions.privateSigningKeys].some((pk) =>
        (['PutItem', 'UpdateItem', 'DeleteItem'] as const).some((action) =>
          mayCall(name, action, inputOf(action, pk)),
        ),
      )
    expect(names.filter(reads(partitions.privateSigningKeys))).toEqual(['backchannel-logout', 'oidc'])
    expect(names.filter(writes)).toEqual(['signing-keys'])
  })

  it('lets the function of products write clients, APIs and what manages them, and nothing that makes administrators', () => {
    const mayWrite = (pk: string) =>
      (['PutItem', 'UpdateItem', 'DeleteItem'] as const).some((action) =>
        mayCall('config-product', action, inputOf(action, pk)),
      )
    const written = Object.entries(partitions).flatMap(([name, pk]) => (mayWrite(pk) ? [name] : []))
    expect(written.toSorted()).toEqual([
      'audit',
      'client',
      'clientCount',
      'clientDocument',
      'clientName',
      'configuration',
      'protectedApi',
      'protectedApiAudience',
      'protectedApiCount',
      'protectedApiName',
    ])
  })

  it('never allows to change or delete audit events', () => {
    for (const name of Object.keys(grants) as FunctionName[])
      for (const action of ['UpdateItem', 'DeleteItem'] as const)
        for (const pk of [partitions.audit, partitions.auditChain, partitions.auditCheckpoints])
          expect(mayCall(name, action, inputOf(action, pk)), `${name} ${action} ${pk}`).toBe(false)
  })

  it('gives only the function of the chain the survey of months without events, which hides them from lists', () => {
    const names = Object.keys(grants) as FunctionName[]
    const mayWrite = (name: FunctionName) =>
      (['PutItem', 'UpdateItem', 'DeleteItem'] as const).some((action) =>
        mayCall(name, action, inputOf(action, partitions.auditSurvey)),
      )
    expect(names.filter(mayWrite)).toEqual(['audit-chain'])
  })

  it('does not mistake kinds whose names begin alike', () => {
    expect(mayCall('tickets', 'GetItem', { Key: userKey(1) })).toBe(true)
    for (const pk of ['user', 'username#ada', 'user-template#1', 'xuser#1'])
      expect(mayCall('tickets', 'GetItem', { Key: { pk } })).toBe(false)
  })

  it('limits queries of the index by the key of the index', () => {
    expect(mayCall('groups', 'Query', query('group', 'listing'))).toBe(true)
    for (const list of ['user', 'user-template', 'access-token', 'audit#1', 'group-name'])
      expect(mayCall('groups', 'Query', query(list, 'listing'))).toBe(false)
    expect(mayCall('audit', 'Query', query('audit#1', 'listing'))).toBe(true)
    expect(mayCall('audit', 'Query', query('user', 'listing'))).toBe(false)
  })

  it('lets only the function of audit events query the indexes of events', () => {
    for (const [index, partition] of Object.entries(eventIndexPartitions) as [IndexName, string][]) {
      const readers = [...functions.keys()].filter((name) =>
        mayCall(name as FunctionName, 'Query', query(partition, index)),
      )
      expect(readers, index).toEqual(['audit'])
      expect(mayCall('audit', 'Query', query('user', index))).toBe(false)
    }
  })

  it('checks every key of a batch', () => {
    const read = (...keys: string[]) => ({
      RequestItems: { [tableName]: { Keys: keys.map((pk) => ({ pk: { S: pk } })) } },
    })
    expect(mayCall('tickets', 'BatchGetItem', read('user#1', 'group#1'))).toBe(true)
    expect(mayCall('tickets', 'BatchGetItem', read('user#1', 'connection#1'))).toBe(false)
  })

  it('checks the key of each step of a transaction', () => {
    const on = (pk: string) => ({ TableName: tableName, Key: { pk: { S: pk } } })
    const put = (pk: string) => ({ TableName: tableName, Item: { pk: { S: pk } } })
    const write = (...TransactItems: object[]) => mayCall('tickets', 'TransactWriteItems', { TransactItems })
    expect(write({ Update: on('user#1') }, { Put: put('audit#2026-01#0') })).toBe(true)
    expect(write({ Update: on('user#1') }, { Put: put('group#1') })).toBe(false)
    expect(write({ Update: on('group#1') }, { Put: put('audit#2026-01#0') })).toBe(false)
    expect(write({ Delete: on('audit#2026-01#0') })).toBe(false)
  })

  it.each([...functions])('of %s stays below the size that IAM allows', (_, { roleId }) => {
    const { Policies = [] } = template.Resources[roleId]?.Properties ?? {}
    const attached = resourcesOf(template, 'AWS::IAM::Policy').filter(([, { Properties }]) =>
      JSON.stringify(Properties.Roles).includes(`"${roleId}"`),
    )
    const documents = [...Policies, ...attached.map(([, { Properties }]) => Properties)].map(
      ({ PolicyDocument }) => JSON.stringify(resolve(PolicyDocument, facts)),
    )
    expect(documents.join('').length).toBeLessThanOrEqual(10_240)
  })
})
