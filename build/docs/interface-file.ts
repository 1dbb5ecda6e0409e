import { operations } from '../../lib/features/operations.ts'
import type { Operation } from '../../lib/kernel/contract/operation.ts'
import { buildOpenApi } from '../../lib/open-api/build-open-api.ts'

/** What OpenAPI has no fields for, and decides who may call an operation and how. */
const accessFields = [
  'acceptsOrganization',
  'acceptsProduct',
  'allowsSetupSession',
  'bodyLimitBytes',
  'changesState',
  'decidesSignIn',
  'endsSession',
  'isFlowStep',
  'notWhileImpersonating',
  'readsCredentialWith',
  'recentAuthentication',
] as const satisfies readonly (keyof Operation)[]

const describeAccess = (op: Operation) => ({
  ...op.access,
  ...Object.fromEntries(accessFields.map((name) => [name, op[name]])),
})

const accessById = new Map(operations.map((op) => [op.id, describeAccess(op)]))

/** Texts and examples, which the pages of the reference show. A field can have one of these names, too. */
const isText = (name: string, value: unknown): boolean =>
  (name === 'description' && typeof value === 'string') || (name === 'examples' && !isSchema(value))

const isSchema = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && ('$ref' in value || 'type' in value)

/**
 * The interface that a review compares: the OpenAPI document without texts, and with the access of each operation. A change of
 * a path, a field or an access is a change of this file.
 */
export const interfaceFile = (): string => {
  const { paths, components } = buildOpenApi(operations)
  const withAccess = Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, op]) => [
          method,
          { ...op, 'x-latchkey-access': accessById.get(op.operationId) },
        ]),
      ),
    ]),
  )
  const text = JSON.stringify(
    { paths: withAccess, components },
    (name, value: unknown) => (isText(name, value) ? undefined : value),
    1,
  )
  return `${text}\n`
}
