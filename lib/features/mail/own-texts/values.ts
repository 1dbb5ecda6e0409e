import type { ForeignText, ServiceText } from '../user-text.ts'
import type { EmailTextKind, VariableOf } from './kinds.models.ts'

/** What an email says in the variables of its kind. */
export type EmailTextValues = {
  readonly [Name in EmailTextKind]: {
    readonly kind: Name
    readonly values: { readonly [Variable in VariableOf<Name>]: ServiceText | ForeignText }
  }
}[EmailTextKind]
