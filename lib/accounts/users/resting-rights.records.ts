import type { UserRecord } from './stored-user.records.ts'

type Holder = Pick<UserRecord, 'permissions' | 'groups' | 'restingRights'>

/** The user with all their rights, also those that rest in the session of the request. What a write stores beside the user must not depend on the session. */
export const withRestingRights = <User extends Holder>(user: User): User => {
  const { restingRights: resting } = user
  if (!resting) return user
  return {
    ...user,
    permissions: [...user.permissions, ...resting.permissions],
    groups: [...user.groups, ...resting.groups],
    restingRights: undefined,
  }
}
