import { randomUUID } from 'node:crypto'
import { buildCommandContext, type RequestContext } from '../../lib/features/access/request-context.ts'
import { applyChanges, type ReadSecret } from '../../lib/features/configuration/apply.step.ts'
import type { ConfigurationDocument } from '../../lib/features/configuration/document.models.ts'
import {
  planDocument,
  type ShownApplied,
  type ShownChange,
} from '../../lib/features/configuration/door.step.ts'
import { exportDocument } from '../../lib/features/configuration/export.step.ts'
import { type OutputsByKey, readOutputs } from '../../lib/features/configuration/outputs.step.ts'
import type { Services } from '../../lib/services.ts'
import { openTarget } from '../users/import-target.ts'

/** A plan that can be applied as it was shown. */
export interface OpenPlan {
  readonly changes: readonly ShownChange[]
  /** Applies the plan, and reports each change when it is complete. */
  readonly apply: () => AsyncGenerator<ShownApplied>
}

/** The way to the configuration of a service: its table in local mode, or the function of a deployed one. */
export interface Door {
  readonly plan: (document: ConfigurationDocument, prune: boolean) => Promise<OpenPlan>
  /** What the service chose for the things of an owner. */
  readonly readOutputs: (document: ConfigurationDocument) => Promise<OutputsByKey>
  readonly exportDocument: (owner: string) => Promise<ConfigurationDocument>
  readonly close: () => Promise<void>
}

export const readSecret: ReadSecret = (name) => process.env[name]

const createContext = ({ now }: Services): RequestContext => ({
  ...buildCommandContext(now(), `config-${randomUUID()}`),
  credential: 'configuration',
})

/** Opens local mode. `whenNew` says what to do when it has no data yet. */
export const openLocalDoor = async (whenNew: 'create' | 'simulate' | 'fail'): Promise<Door> => {
  const { services, close } = await openTarget({ table: undefined, whenNew })
  return {
    plan: async (document, prune) => {
      const changes = await planDocument(services, createContext(services), { document, prune, readSecret })
      const options = { owner: document.owner, readSecret }
      return {
        changes,
        apply: () => applyChanges(services, createContext(services), options, changes),
      }
    },
    readOutputs: ({ owner }) => readOutputs(services, owner),
    exportDocument: (owner) => exportDocument(services, createContext(services), owner),
    close,
  }
}
