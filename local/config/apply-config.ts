import { randomUUID } from 'node:crypto'
import { buildCommandContext, type RequestContext } from '../../lib/accounts/callers/request-context.ts'
import {
  type AppliedChange,
  applyChanges,
  type ReadSecret,
} from '../../lib/features/configuration/apply.part.ts'
import type { ConfigurationDocument } from '../../lib/features/configuration/document.models.ts'
import { planDocument } from '../../lib/features/configuration/door.part.ts'
import { serviceDoor } from '../../lib/features/configuration/doors.part.ts'
import {
  type CheckedSecrets,
  type HeldRequest,
  type HeldSecrets,
  renewAndCheckSecrets,
  requireRenewable,
} from '../../lib/features/configuration/held-secrets.part.ts'
import { type OutputsByKey, readOutputs } from '../../lib/features/configuration/outputs.part.ts'
import type { PlannedChange } from '../../lib/features/configuration/plan.part.ts'
import { applySeed, type Seeded } from '../../lib/features/configuration/seed.part.ts'
import {
  applyTransfer,
  type PlannedTransfer,
  planTransfer,
  type Transfer,
  type Transferable,
} from '../../lib/features/configuration/transfer.part.ts'
import { createIdBlocks } from '../../lib/kernel/table/id-blocks.ts'
import type { Services } from '../../lib/services.ts'

export const readVariable: ReadSecret = (name) => process.env[name]

export const createConfigContext = ({ now }: Services): RequestContext => ({
  ...buildCommandContext(now(), `config-${randomUUID()}`),
  credential: 'configuration',
})

/** A plan for local mode that can be applied as it is. */
export interface LocalPlan {
  readonly changes: readonly PlannedChange[]
  /** Applies the plan, and reports each change when it is complete. */
  readonly apply: (held: HeldSecrets) => AsyncGenerator<AppliedChange>
  /** Makes the people of the seed, after the changes. */
  readonly applySeed: () => AsyncGenerator<Seeded>
  /** Renews secrets after the changes. Returns what the service chose, and which secrets it accepts. */
  readonly finish: (request: Omit<HeldRequest, 'document'>) => Promise<FinishedPlan>
}

export interface FinishedPlan {
  readonly outputs: OutputsByKey
  readonly secrets: CheckedSecrets
}

export interface PlanOptions {
  /** Whether to delete what its owner has and the document no longer does. */
  readonly prune: boolean
  /** Finds the secrets that the document names, in the environment by default. */
  readonly readSecret?: ReadSecret | undefined
}

/** @throws AppError `invalid_request` that lists everything that is wrong with the document, by path */
export const planLocally = async (
  given: Services,
  document: ConfigurationDocument,
  { prune, readSecret = readVariable }: PlanOptions,
): Promise<LocalPlan> => {
  const services = withoutGaps(given)
  const { owner, seed = {} } = document
  const changes = await planDocument(services, createConfigContext(services), { document, prune, readSecret })
  return {
    changes,
    apply: (held) =>
      applyChanges(services, createConfigContext(services), { owner, readSecret, held }, changes),
    finish: async (request) => {
      requireRenewable({ ...request, document })
      return {
        secrets: await renewAndCheckSecrets(services, createConfigContext(services), {
          ...request,
          document,
        }),
        outputs: await readOutputs(services, owner),
      }
    },
    applySeed: () => applySeed(services, createConfigContext(services), seed),
  }
}

/** The transfer of what an owner manages, in local mode. */
export const openLocalTransfer = (services: Services, transfer: Transfer): OpenTransfer => {
  const admitted = serviceDoor.admitTransfer(transfer)
  return {
    plan: () => planTransfer(services, admitted),
    apply: () => applyTransfer(services, createConfigContext(services), admitted),
  }
}

/** Lists what would move to another owner, or moves it. */
export interface OpenTransfer {
  readonly plan: () => Promise<PlannedTransfer>
  readonly apply: () => AsyncGenerator<Transferable>
}

/** Takes IDs one at a time, so that an empty service always gives the things of a file the same ones. */
const withoutGaps = (services: Services): Services => {
  const { table } = services
  const nextIds: typeof table.nextIds = (...given) => createIdBlocks(table.update)(...given)
  return { ...services, table: { ...table, nextIds } }
}
