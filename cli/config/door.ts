import type { ConfigurationDocument } from '../../lib/features/configuration/document.models.ts'
import type { ShownApplied, ShownChange } from '../../lib/features/configuration/door.part.ts'
import { exportDocument } from '../../lib/features/configuration/export.part.ts'
import type { HeldRequest, HeldSecrets } from '../../lib/features/configuration/held-secrets.part.ts'
import type { Seeded } from '../../lib/features/configuration/seed.part.ts'
import type { Transfer } from '../../lib/features/configuration/transfer.part.ts'
import {
  createConfigContext,
  type FinishedPlan,
  type OpenTransfer,
  openLocalTransfer,
  type PlanOptions,
  planLocally,
} from '../../local/config/apply-config.ts'
import { openTarget } from '../users/import-target.ts'

/** A plan that can be applied as it was shown. */
export interface OpenPlan {
  readonly changes: readonly ShownChange[]
  /** Applies the plan, and reports each change when it is complete. */
  readonly apply: (held: HeldSecrets) => AsyncGenerator<ShownApplied>
  /** Renews secrets after the changes. Returns what the service chose, and which secrets it accepts. */
  readonly finish: (request: Omit<HeldRequest, 'document'>) => Promise<FinishedPlan>
  /** Makes the people of the seed. Missing for deployed services. */
  readonly applySeed?: () => AsyncGenerator<Seeded>
}

/** The way to the configuration of a service: its table in local mode, or the function of a deployed one. */
export interface Door {
  readonly plan: (document: ConfigurationDocument, options: PlanOptions) => Promise<OpenPlan>
  readonly exportDocument: (owner: string) => Promise<ConfigurationDocument>
  readonly openTransfer: (transfer: Transfer) => OpenTransfer
  readonly close: () => Promise<void>
}

/** Opens local mode. `whenNew` says what to do when it has no data yet. */
export const openLocalDoor = async (whenNew: 'create' | 'simulate' | 'fail'): Promise<Door> => {
  const { services, close } = await openTarget({ table: undefined, whenNew })
  return {
    plan: (document, options) => planLocally(services, document, options),
    exportDocument: (owner) => exportDocument(services, createConfigContext(services), owner),
    openTransfer: (transfer) => openLocalTransfer(services, transfer),
    close,
  }
}
