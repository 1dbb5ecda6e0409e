import { indexNames, keyNamesOf } from '../../lib/kernel/table/table.ts'
import type { JsonValue } from '../support/client.ts'
import type { TableCall } from './dynamodb-proxy.ts'

export interface Permission {
  readonly action: string
  readonly resource: string
  /** The partition keys of the items, or of the entries of an index: what IAM sees as `dynamodb:LeadingKeys`. */
  readonly leadingKeys?: readonly string[]
}

const stepActions: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
  Get: 'GetItem',
}

/** The text of a key, which the document client states without its type. */
const textOf = (key: JsonValue): string => (typeof key === 'string' ? key : key.S)

const partitionKeys = [undefined, ...indexNames].map((index) => keyNamesOf(index).partitionKey)

/** The partition that a key condition such as `#n0 = :v0 AND #n1 >= :v1` names. */
const queriedKey = ({
  KeyConditionExpression,
  ExpressionAttributeNames = {},
  ExpressionAttributeValues = {},
}: JsonValue): JsonValue => {
  const comparisons = [...String(KeyConditionExpression).matchAll(/(#?\w+) = (:\w+)/g)]
  const [, , value = ''] =
    comparisons.find(([, name = '']) => partitionKeys.includes(ExpressionAttributeNames[name] ?? name)) ?? []
  return ExpressionAttributeValues[value]
}

/**
 * The permissions that IAM requires for a call: the action of each step of a transaction with the key of its item, the
 * index of a query. A call that names no item, such as a scan, has no leading keys.
 */
export const neededPermissions = (
  { action, input }: Pick<TableCall, 'action' | 'input'>,
  arnOf: (tableName: string) => string,
): readonly Permission[] => {
  const on = (name: string, tableName: string, keys: readonly JsonValue[], index?: string): Permission => ({
    action: `dynamodb:${name}`,
    resource: arnOf(tableName) + (index ? `/index/${index}` : ''),
    ...(keys.length > 0 ? { leadingKeys: keys.map(textOf) } : {}),
  })
  if (action.startsWith('Transact'))
    return input.TransactItems.flatMap((item: JsonValue) =>
      Object.entries<JsonValue>(item).map(([step, { TableName, Key, Item }]) =>
        on(stepActions[step] ?? step, TableName, [(Key ?? Item).pk]),
      ),
    )
  if (action.startsWith('Batch'))
    return Object.entries<JsonValue>(input.RequestItems).map(([tableName, { Keys }]) =>
      on(
        action,
        tableName,
        Keys.map(({ pk }: JsonValue) => pk),
      ),
    )
  const key = action === 'Query' ? queriedKey(input) : (input.Key ?? input.Item)?.pk
  return [on(action, input.TableName, key === undefined ? [] : [key], input.IndexName)]
}
