import type { Key } from '../keys/keys.ts'
import { type Condition, expressions, type Update, updateExpression } from './expressions.ts'

export type Item = Key & { readonly [attribute: string]: unknown }

type Action =
  | { readonly put: Item; readonly condition?: Condition }
  | { readonly update: Key; readonly changes: Update }
  | { readonly delete: Key; readonly condition?: Condition | undefined }
  | { readonly check: Key; readonly condition: Condition }

/** One step of a transaction. Either all steps are written or none is. */
export type Step = Action & {
  /** Creates the error that the transaction throws when the condition of this step does not hold. */
  readonly orElse?: OrElse | undefined
}

export type OrElse = () => Error

/** Converts a step to the form that DynamoDB expects. */
export const toTransactItem = (tableName: string, step: Step) => {
  const x = expressions()
  const base = { TableName: tableName }
  const condition = (test: Condition | undefined) => (test ? { ConditionExpression: test(x) } : {})
  if ('put' in step)
    return { Put: { ...base, Item: step.put, ...condition(step.condition), ...x.attributes() } }
  if ('delete' in step)
    return { Delete: { ...base, Key: step.delete, ...condition(step.condition), ...x.attributes() } }
  if ('check' in step)
    return {
      ConditionCheck: { ...base, Key: step.check, ConditionExpression: step.condition(x), ...x.attributes() },
    }
  const clauses = step.changes(x)
  const expression = updateExpression(clauses)
  // DynamoDB rejects an update that changes nothing.
  if (expression === '' && clauses.condition)
    return {
      ConditionCheck: {
        ...base,
        Key: step.update,
        ConditionExpression: clauses.condition,
        ...x.attributes(),
      },
    }
  return {
    Update: {
      ...base,
      Key: step.update,
      UpdateExpression: expression,
      ...(clauses.condition ? { ConditionExpression: clauses.condition } : {}),
      ...x.attributes(),
    },
  }
}
