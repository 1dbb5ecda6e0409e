import { ConflictError } from '../../errors/errors.ts'
import type { CombinableError } from '../engine/transaction.ts'
import type { UniqueField } from './user-record.ts'

/** The name of another user looks like this username. */
export class LooksLikeOther extends ConflictError {
  constructor() {
    super('username_lookalike', 'the name of another user looks like this username')
    this.name = 'LooksLikeOther'
  }
}

/** Another user has this username or email address, or both are taken. */
export class NotUnique extends ConflictError implements CombinableError {
  readonly taken: readonly UniqueField[]

  constructor(taken: readonly UniqueField[]) {
    super(taken.includes('username') ? 'username_taken' : 'email_taken', `taken: ${taken.join(' and ')}`)
    this.name = 'NotUnique'
    this.taken = taken
  }

  combine(other: Error): NotUnique | undefined {
    return other instanceof NotUnique ? new NotUnique([...this.taken, ...other.taken]) : undefined
  }
}
