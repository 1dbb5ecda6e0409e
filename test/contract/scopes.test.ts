import { expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import { operationScopeNames } from '../../lib/kernel/contract/scope-names.ts'
import { scopes } from '../../lib/kernel/contract/scopes.ts'

const byApiToken = operations.flatMap(({ id, access }) =>
  access.allow !== 'anyone' && access.by.includes('api_token') ? [{ id, scope: access.scope }] : [],
)

it.each(byApiToken)('$id declares the scope that API tokens need', ({ scope }) => {
  expect(Object.keys(scopes)).toContain(scope)
})

it('declares a scope only where API tokens are accepted', () => {
  const declaring = operations.filter(({ access }) => access.allow !== 'anyone' && access.scope !== undefined)
  expect(declaring.map(({ id }) => id)).toEqual(byApiToken.map(({ id }) => id))
})

it('has an operation for every scope that is not a permission', () => {
  const used = new Set(byApiToken.map(({ scope }) => scope))
  const unused = operationScopeNames.filter((scope) => !used.has(scope))
  expect(unused).toEqual([])
})
