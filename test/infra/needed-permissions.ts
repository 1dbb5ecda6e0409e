import type { JsonValue } from '../support/client.ts'
import type { TableCall } from './dynamodb-proxy.ts'

export interface Permission {
  readonly action: string
  readonly resource: string
  /** The partition keys of the items, if the call names them. */
  readonly leadingKeys?: readonly string[]
}

const stepActions: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
  Get: 'GetItem',
}

/** The permissions that IAM requires for a call: the action of each step of a transaction, the index of a query. */
export const neededPermissions = (
  { action, input }: TableCall,
  arnOf: (tableName: string) => string,
): readonly Permission[] => {
  const on = (name: string, tableName: string, index?: string): Permission => ({
    action: `dynamodb:${name}`,
    resource: arnOf(tableName) + (index ? `/index/${index}` : ''),
  })
  if (action.startsWith('Transact'))
    return input.TransactItems.flatMap((item: JsonValue) =>
      Object.entries<JsonValue>(item).map(([step, { TableName }]) =>
        on(stepActions[step] ?? step, TableName),
      ),
    )
  if (action.startsWith('Batch'))
    return Object.entries<JsonValue>(input.RequestItems).map(([tableName, { Keys = [] }]) => ({
      ...on(action, tableName),
      leadingKeys: Keys.map(({ pk }: JsonValue) => pk.S),
    }))
  return [on(action, input.TableName, input.IndexName)]
}
