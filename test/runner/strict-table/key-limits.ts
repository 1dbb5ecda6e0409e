import { tableDefinition } from '../../../lib/kernel/table/table.ts'
import type { TableCall } from '../../infra/dynamodb-proxy.ts'
import type { StubAnswer } from '../../infra/stub-server.ts'
import type { JsonValue } from '../../support/client.ts'
import { validationError } from './refusals.ts'
import { listRequests } from './requests.ts'

const { partitionKey, sortKey, indexes } = tableDefinition

const longestKeys: Readonly<Record<string, number>> = Object.fromEntries(
  Object.values(indexes).flatMap((keys) => [
    [keys.partitionKey, 2048],
    [keys.sortKey, 1024],
  ]),
)

/** The attributes that an update sets to a value, with the value. */
const listAssignments = (request: JsonValue): readonly (readonly [string, JsonValue])[] => {
  const { UpdateExpression = '', ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } = request
  return [...UpdateExpression.matchAll(/(#?\w+)\s*=\s*(:\w+)?/g)].map(([, name = '', value = '']) => [
    ExpressionAttributeNames[name] ?? name,
    ExpressionAttributeValues[value],
  ])
}

const findProblem = (request: JsonValue): string | undefined => {
  const assignments = listAssignments(request)
  const changed = assignments.find(([name]) => name === partitionKey || name === sortKey)
  if (changed)
    return `One or more parameter values were invalid: Cannot update attribute ${changed[0]}. This attribute is part of the key`
  const tooLong = [...Object.entries<JsonValue>(request.Item ?? {}), ...assignments].find(
    ([name, value]) => Buffer.byteLength(value?.S ?? '') > (longestKeys[name] ?? Number.POSITIVE_INFINITY),
  )
  if (tooLong)
    return `One or more parameter values were invalid: Size of the index key ${tooLong[0]} has exceeded the maximum size limit`
  const { KeyConditionExpression = '', ExpressionAttributeValues = {} } = request
  const used = KeyConditionExpression.match(/:\w+/g) ?? []
  return used.some((name: string) => ExpressionAttributeValues[name]?.S === '')
    ? 'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value.'
    : undefined
}

/** Refuses keys that exceed limits of DynamoDB which the engine does not enforce, and changes of keys. */
export const refuseKeys = (call: TableCall): StubAnswer | undefined => {
  const problem = listRequests(call).map(findProblem).find(Boolean)
  return problem === undefined ? undefined : validationError(problem)
}
