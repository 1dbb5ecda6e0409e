import { describe, expect, it } from 'vitest'
import type { Statement } from '../infra/policies.ts'
import { createAuthorizer } from './authorizer.ts'
import { findCoverageGaps } from './coverage.ts'

const table = 'arn:aws:dynamodb:local:000000000000:table/users'
const index = `${table}/index/listing`
const key = 'arn:aws:kms:local:000000000000:key/vault'

/** A role with two actions on two kinds of items, the index, and one purpose of a key. */
const role: readonly Statement[] = [
  {
    actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
    resources: [table],
    conditions: { 'ForAllValues:StringLike dynamodb:LeadingKeys': ['user#*', 'group#*'] },
  },
  { actions: ['dynamodb:Query'], resources: [index], conditions: {} },
  {
    actions: ['kms:Decrypt'],
    resources: [key],
    conditions: { 'StringEquals kms:EncryptionContext:purpose': 'totp' },
  },
]

/** Records the usage of a function that needs everything in its role. */
const recordRun = () => {
  const authorizer = createAuthorizer(new Map([['users', role]]))
  const may = (action: string, resource: string, conditions = {}) =>
    expect(authorizer.may({ functionId: 'users', action, resource, conditions })).toBe(true)
  for (const action of ['dynamodb:GetItem', 'dynamodb:UpdateItem'])
    for (const name of ['user#1', 'user#2', 'group#1']) may(action, table, { 'dynamodb:LeadingKeys': [name] })
  may('dynamodb:GetItem', table, { 'dynamodb:LeadingKeys': ['user#1', 'group#1'] })
  may('dynamodb:Query', index)
  may('kms:Decrypt', key, { 'kms:EncryptionContext:purpose': 'totp' })
  return {
    served: ['GET /users'],
    calls: authorizer.samples(),
    denials: authorizer.denials(),
  }
}
const run = recordRun()
const gapsOf = (statements: readonly Statement[], usage = [run], operationKeys = ['GET /users']) =>
  findCoverageGaps({ operationKeys, roles: new Map([['users', statements]]), usage })
const none = { unservedOperations: [], missingGrants: [], unneededGrants: [] }

/** The role without one of its parts: a statement, an action or a partition. */
const reducedRoles = role.flatMap((statement, at) => {
  const replace = (...parts: Statement[]) => role.toSpliced(at, 1, ...parts)
  const partitions = 'ForAllValues:StringLike dynamodb:LeadingKeys'
  const values = statement.conditions[partitions] ?? []
  const without = <Value>(list: readonly Value[]): Value[][] =>
    list.length > 1 ? list.map((one) => list.filter((other) => other !== one)) : []
  return [
    replace(),
    ...without(statement.actions).map((actions) => replace({ ...statement, actions })),
    ...without([...values]).map((left) =>
      replace({ ...statement, conditions: { ...statement.conditions, [partitions]: left } }),
    ),
  ]
})

describe('the coverage of a run', () => {
  it('has no gap if each operation was served and each grant was needed', () => {
    expect(gapsOf(role)).toEqual(none)
  })

  it('keeps one call for each set of grants', () => {
    expect(run.calls).toHaveLength(6)
  })

  it('names operations that were not served', () => {
    expect(gapsOf(role, [run], ['GET /users', 'GET /groups']).unservedOperations).toEqual(['GET /groups'])
  })

  it.each(reducedRoles.map((statements, at) => ({ at, statements })))(
    'names calls that a role without grant $at would deny',
    ({ statements }) => {
      expect(gapsOf(statements).missingGrants).not.toEqual([])
    },
  )

  it.each<[string, Statement]>([
    ['an action', { actions: ['dynamodb:PutItem'], resources: [table], conditions: {} }],
    ['another resource', { actions: ['dynamodb:Query'], resources: [table], conditions: {} }],
    [
      'a partition',
      {
        actions: ['dynamodb:GetItem'],
        resources: [table],
        conditions: { 'ForAllValues:StringLike dynamodb:LeadingKeys': ['audit#*'] },
      },
    ],
    [
      'a purpose',
      {
        actions: ['kms:Decrypt'],
        resources: [key],
        conditions: { 'StringEquals kms:EncryptionContext:purpose': 'saml' },
      },
    ],
  ])('names an added grant for %s', (_, added) => {
    const { missingGrants, unneededGrants } = gapsOf([...role, added])
    expect(missingGrants).toEqual([])
    expect(unneededGrants).toEqual([expect.stringContaining(added.actions[0] ?? '')])
  })

  it('names both of two grants that allow the same', () => {
    const wider = { actions: ['dynamodb:Query'], resources: [`${table}/index/*`], conditions: {} }
    expect(gapsOf([...role, wider]).unneededGrants).toHaveLength(2)
  })

  it('names calls that were denied', () => {
    const authorizer = createAuthorizer(new Map([['users', role]]))
    expect(
      authorizer.may({ functionId: 'users', action: 'dynamodb:Scan', resource: table, conditions: {} }),
    ).toBe(false)
    expect(authorizer.takeDenials()).toEqual([`users dynamodb:Scan ${table}`])
    expect(authorizer.takeDenials()).toEqual([])
    const denied = { served: [], calls: [], denials: authorizer.denials() }
    expect(gapsOf(role, [run, denied]).missingGrants).toEqual([`users dynamodb:Scan ${table}`])
  })
})
