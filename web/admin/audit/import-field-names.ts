import type { AuditEvent } from '../../../lib/client/generated/models.ts'
import { loadMessages } from '../../kit/messages.ts'
import type { FieldNames } from './field-names.ts'

/*
 * The names of fields are the labels of all forms of the console, so they are loaded once an event has changes.
 */

/** Loads what the fields and values of an event are called. */
export const importFieldNames = async (event: AuditEvent): Promise<FieldNames> => {
  const { loadFieldNames } = await import('./field-names.ts')
  await loadMessages()
  return loadFieldNames(event)
}

/** Loads the label of a field. One that no form has keeps its name. */
export const importLabel = async (field: string): Promise<string> => {
  const { listFields } = await import('./field-names.ts')
  await loadMessages()
  return listFields().find((one) => one.field === field)?.label ?? field
}
