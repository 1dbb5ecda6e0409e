import type { TableCall } from '../../infra/dynamodb-proxy.ts'
import type { JsonValue } from '../../support/client.ts'

/** The parts of a call that each have their own expressions and attribute values: one, or the items of a transaction. */
export const listRequests = ({ action, input }: TableCall): readonly JsonValue[] => {
  if (action.startsWith('Transact'))
    return input.TransactItems.flatMap((item: JsonValue) => Object.values(item))
  return action.startsWith('Batch') ? [] : [input]
}

/** The expressions of a request by name, such as `UpdateExpression`. */
export const listExpressions = (request: JsonValue): readonly (readonly [string, string])[] =>
  Object.entries<JsonValue>(request).filter(
    ([name, value]) => name.endsWith('Expression') && typeof value === 'string',
  )
