import type { FieldCallers } from './field-rights.ts'

/*
 * What an audit event says about changed fields. Closed by default: the declaration of a field says whether its values may stand in
 * events. Without a word about it, an event says that the field changed, and nothing else.
 */

/**
 * What audit events have of a field. `value`: its values before and after. `personal`: that it changed. Its values are of a person, so they
 * are kept beside the event, and are erased with the person.
 */
export type InEvents = 'value' | 'personal'

/** A field as events see it. `seenBy` decides whether the people of an organization see the values. */
export interface AuditedField {
  readonly inEvents?: InEvents | undefined
  readonly seenBy?: FieldCallers | undefined
}

export type AuditedFields = Readonly<Record<string, AuditedField>>

export type ChangeValue = string | number | boolean | null

/** The values before and after. */
export interface FromTo {
  readonly from: ChangeValue
  readonly to: ChangeValue
}

/** A value of a person: the field, or the part of it, with the values before and after. */
export interface PersonalChange extends FromTo {
  readonly part: string
}

/** A changed field. In a list, each entry that was added or taken is a change of its own, with null for where it is not. */
export interface FieldChange extends Partial<FromTo> {
  /** The name on the wire, with the names of the parts in it: `editor.permissions`. */
  readonly field: string
  /** Whether the values are those of a person, and stand elsewhere. */
  readonly isPersonal?: true
  /** Whether the people of an organization see this change. */
  readonly isForMembers?: true
}

/** What changed, and the values of a person that must not stand in the event, by their fields. */
export interface DescribedChanges {
  /** The names of the changed fields. */
  readonly names: readonly string[]
  readonly changes: readonly FieldChange[]
  readonly personal: Readonly<Record<string, readonly PersonalChange[]>>
  /** How many more changes there were. Missing if there were none. */
  readonly omitted?: number
}
