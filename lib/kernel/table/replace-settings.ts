import { isAbsent } from './expressions.ts'
import type { Key } from './keys/keys.ts'
import type { Table } from './table.ts'
import { EditConflict, type Step } from './transaction.ts'

/** Settings that are replaced as a whole. */
export interface SettingsChange {
  readonly key: Key
  /** The settings that were read before. */
  readonly before: { readonly version: number } | undefined
  readonly fields: Readonly<Record<string, unknown>>
}

/**
 * Replaces settings that were read before.
 *
 * @throws EditConflict if they were changed since
 */
export const replaceSettings = (
  table: Table,
  change: SettingsChange,
  extraSteps: readonly Step[],
): Promise<void> => table.transact([buildSettingsStep(change), ...extraSteps])

/** Builds the step that replaces settings that were read before. */
export const buildSettingsStep = ({ key, before, fields }: SettingsChange): Step => ({
  put: { ...key, ...fields, version: (before?.version ?? 0) + 1 },
  condition: before ? (x) => `${x.path('version')} = ${x.value(before.version)}` : isAbsent,
  orElse: () => new EditConflict(),
})
