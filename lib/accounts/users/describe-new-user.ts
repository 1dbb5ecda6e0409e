import { describeNew, type Facts } from '../events/change-event.ts'
import { buildUser } from './new-user.ts'
import { toUserChange } from './user-change.ts'

const initial = buildUser({ username: '' })

/** What the event of a new user says: the rights and states that they begin with. */
export const describeNewUser = (values: object): Facts => describeNew(toUserChange(initial, values))
