import type { JsonValue } from '../support/client.ts'
import { type Facts, resolve } from './intrinsics.ts'
import { resourcesOf, type Template } from './synthesis.ts'

export type ConditionValue = string | readonly string[]

export interface Statement {
  readonly actions: readonly string[]
  readonly resources: readonly string[]
  /** Conditions by operator and key, such as `StringEquals kms:ViaService`. */
  readonly conditions: Readonly<Record<string, ConditionValue>>
}

const listOf = (value: JsonValue): string[] => (Array.isArray(value) ? value : [value])

const statementOf = ({ Effect, Action, Resource, Condition = {}, ...rest }: JsonValue): Statement => {
  if (Effect !== 'Allow' || Object.keys(rest).length > 0) throw new Error('a statement this test can’t judge')
  const conditions = Object.entries<Record<string, ConditionValue>>(Condition).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, value]) => [`${operator} ${key}`, value]),
  )
  return {
    actions: listOf(Action),
    resources: listOf(Resource),
    conditions: Object.fromEntries(conditions),
  }
}

/** All statements of a function's role, from inline and attached policies. */
export const statementsOf = (template: Template, functionId: string, facts: Facts): readonly Statement[] => {
  const [roleId] = template.Resources[functionId]?.Properties.Role['Fn::GetAtt'] ?? []
  const role = template.Resources[roleId]?.Properties
  if (!role || role.ManagedPolicyArns)
    throw new Error(`the role of ${functionId} isn't one this test can judge`)
  const attached = resourcesOf(template, 'AWS::IAM::Policy').filter(([, { Properties }]) =>
    Properties.Roles.some(({ Ref }: JsonValue) => Ref === roleId),
  )
  const documents = [
    ...(role.Policies ?? []).map(({ PolicyDocument }: JsonValue) => PolicyDocument),
    ...attached.map(([, { Properties }]) => Properties.PolicyDocument),
  ]
  return documents.flatMap(({ Statement: statements }) =>
    statements.map((statement: JsonValue) => statementOf(resolve(statement, facts))),
  )
}

const expressions = new Map<string, RegExp>()

/** The expression of a pattern. There are few patterns, and each is asked about many times. */
const expressionOf = (pattern: string): RegExp => {
  const escaped = () => pattern.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')
  const expression = expressions.get(pattern) ?? new RegExp(`^${escaped()}$`, 's')
  expressions.set(pattern, expression)
  return expression
}

/** Whether an ARN or a key matches a pattern. A `*` of IAM also matches line breaks. */
export const fits = (pattern: string, text: string): boolean => expressionOf(pattern).test(text)

/** Whether a condition holds, as IAM decides it: `ForAllValues` is met by a request without the key, `Null` asks for it. */
const isMet = (
  operator: string | undefined,
  expected: ConditionValue,
  stated: ConditionValue | undefined,
): boolean => {
  if (operator === 'StringEquals') return stated === expected
  if (operator === 'Null') return String(stated === undefined) === expected
  if (operator !== 'ForAllValues:StringLike') return false
  return listOf(stated ?? []).every((value) => listOf(expected).some((pattern) => fits(pattern, value)))
}

/** Whether the statements allow an action with these values of condition keys. */
export const allows = (
  statements: readonly Statement[],
  action: string,
  resource: string,
  seen: Readonly<Record<string, ConditionValue | undefined>> = {},
): boolean =>
  statements.some(
    ({ actions, resources, conditions }) =>
      actions.some((pattern) => fits(pattern, action)) &&
      resources.some((pattern) => fits(pattern, resource)) &&
      Object.entries(conditions).every(([condition, value]) => {
        const [operator, key = ''] = condition.split(' ')
        return isMet(operator, value, seen[key])
      }),
  )
