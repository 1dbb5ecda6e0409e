import type { ImportedUser } from '../../lib/accounts/directory/import-user.ts'
import type { ValidatedLine } from './validate-line.ts'

/** The user of a line, with the ID that they get. */
export interface UserToWrite {
  readonly line: ValidatedLine
  readonly user: ImportedUser
  readonly id: number
}
