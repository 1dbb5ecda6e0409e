import { beforeAll, expect, it } from 'vitest'
import { operations } from '../../../lib/features/operations.ts'
import { listMethods } from '../../../lib/kernel/contract/operation.ts'
import { statementsOf } from '../../infra/policies.ts'
import { resourcesOf, shareSynthesis } from '../../infra/synthesis.ts'
import { splitGrants } from '../../runner/authorizer.ts'
import { type CoverageGaps, describeGrant, findCoverageGaps } from '../../runner/coverage.ts'
import { factsOf } from '../../runner/template-facts.ts'
import { unexercisedGrants } from '../../runner/unexercised-grants.ts'
import { readUsage, usageTableName } from '../../runner/usage.ts'

/* All journeys and attacks of this run together used each operation and each grant of the template. */

/** The service of this run has no hooks. `test/deployed/hooks.test.ts` calls them in another stack. */
const ofHooks = ['PATCH /api/2/hooks/{name}', 'POST /api/2/hooks/{name}/try']

const listed = unexercisedGrants.flatMap(({ grants }) => grants)

let gaps: CoverageGaps
let existing: ReadonlySet<string>
beforeAll(async () => {
  const { template } = await shareSynthesis('service')
  const facts = factsOf(template, usageTableName)
  const roles = new Map(
    resourcesOf(template, 'AWS::Lambda::Function').map(([id]) => [id, statementsOf(template, id, facts)]),
  )
  const operationKeys = operations
    .flatMap((operation) => listMethods(operation).map((method) => `${method} ${operation.path}`))
    .filter((key) => !ofHooks.includes(key))
  gaps = findCoverageGaps({ operationKeys, roles, usage: readUsage() })
  existing = new Set([...roles].flatMap(([id, statements]) => splitGrants(id, statements).map(describeGrant)))
})

it('each operation was served', () => {
  expect(gaps.unservedOperations).toEqual([])
})

it('no call missed a grant', () => {
  expect(gaps.missingGrants).toEqual([])
})

it('each grant was needed, or is listed with the reason', () => {
  expect(gaps.unneededGrants.filter((grant) => !listed.includes(grant))).toEqual([])
})

it('each listed grant exists', () => {
  expect(listed.filter((grant) => !existing.has(grant))).toEqual([])
})
