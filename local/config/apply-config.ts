import { randomUUID } from 'node:crypto'
import { buildCommandContext, type RequestContext } from '../../lib/features/access/request-context.ts'
import {
  type AppliedChange,
  applyChanges,
  type ReadSecret,
} from '../../lib/features/configuration/apply.step.ts'
import type { ConfigurationDocument } from '../../lib/features/configuration/document.models.ts'
import { planDocument } from '../../lib/features/configuration/door.step.ts'
import type { PlannedChange } from '../../lib/features/configuration/plan.step.ts'
import { applySeed, type Seeded } from '../../lib/features/configuration/seed.step.ts'
import { createIdBlocks } from '../../lib/kernel/table/id-blocks.ts'
import type { Services } from '../../lib/services.ts'

export const readSecret: ReadSecret = (name) => process.env[name]

export const createConfigContext = ({ now }: Services): RequestContext => ({
  ...buildCommandContext(now(), `config-${randomUUID()}`),
  credential: 'configuration',
})

/** A plan for local mode that can be applied as it is. */
export interface LocalPlan {
  readonly changes: readonly PlannedChange[]
  /** Applies the plan, and reports each change when it is complete. */
  readonly apply: () => AsyncGenerator<AppliedChange>
  /** Makes the people of the seed, after the changes. */
  readonly applySeed: () => AsyncGenerator<Seeded>
}

/** @throws AppError `invalid_request` that lists everything that is wrong with the document, by path */
export const planLocally = async (
  given: Services,
  document: ConfigurationDocument,
  prune: boolean,
): Promise<LocalPlan> => {
  const services = withoutGaps(given)
  const { owner, seed = {} } = document
  const changes = await planDocument(services, createConfigContext(services), { document, prune, readSecret })
  return {
    changes,
    apply: () => applyChanges(services, createConfigContext(services), { owner, readSecret }, changes),
    applySeed: () => applySeed(services, createConfigContext(services), seed),
  }
}

/** Takes IDs one at a time, so that an empty service always gives the things of a file the same ones. */
const withoutGaps = (services: Services): Services => {
  const { table } = services
  const nextIds: typeof table.nextIds = (...given) => createIdBlocks(table.update)(...given)
  return { ...services, table: { ...table, nextIds } }
}
