import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { foundAtOnce, Picker } from './picker.tsx'

const t = messagesOf('people')

export interface FoundUser {
  readonly id: number
  readonly username: string
  readonly display_name: string
}

interface UserPickerProps {
  /** The label of the search. */
  readonly label?: string
  /** What happens to a user who is found: the label of the button. */
  readonly action: string
  /** Users who are not offered. */
  readonly without?: readonly number[]
  readonly onPick: (user: FoundUser) => void
}

/** Finds users by their names and email addresses. */
export const UserPicker = ({ label = t('searchUsers'), action, without = [], onPick }: UserPickerProps) => (
  <Picker
    label={label}
    action={action}
    none={t('noUsers')}
    find={async (filter, options) => {
      const users: FoundUser[] = []
      const query = { filter, ordering: 'username', include_effective_permissions: false } as const
      for await (const user of client.users.iterateUsers({ ...query, limit: 100 }, options)) {
        users.push(user)
        if (users.length === foundAtOnce + without.length) break
      }
      return users
    }}
    isOffered={({ id }) => !without.includes(id)}
    nameOf={({ username }) => username}
    show={(user) => <UserName user={user} />}
    onPick={onPick}
  />
)

/** A user by their username, with their name if it differs. */
export const UserName = ({ user }: { readonly user: FoundUser }) => (
  <div>
    {user.username}
    {user.display_name !== user.username && <div class="note">{user.display_name}</div>}
  </div>
)
