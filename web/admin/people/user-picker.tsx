import { useState } from 'preact/hooks'
import { Button } from '../../kit/button.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { SearchField } from '../kit/filters.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'

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

const foundAtOnce = 8

/** Finds users by their names and email addresses. */
export const UserPicker = ({ label = t('searchUsers'), action, without = [], onPick }: UserPickerProps) => {
  const [filter, setFilter] = useState('')
  return (
    <div class="stack">
      <SearchField label={label} value={filter} onSearch={setFilter} />
      {filter && <Found filter={filter} action={action} without={without} onPick={onPick} />}
    </div>
  )
}

type FoundProps = Required<Omit<UserPickerProps, 'label'>> & { readonly filter: string }

const Found = ({ filter, action, without, onPick }: FoundProps) => {
  const found = useLoaded(async (options) => {
    const users: FoundUser[] = []
    const query = { filter, ordering: 'username', include_effective_permissions: false } as const
    for await (const user of client.users.iterateUsers({ ...query, limit: 100 }, options)) {
      users.push(user)
      if (users.length === foundAtOnce + without.length) break
    }
    return users
  }, filter)
  return (
    <ShowLoaded loaded={found}>
      {(all) => {
        const users = all.filter(({ id }) => !without.includes(id)).slice(0, foundAtOnce)
        if (users.length === 0) return <p role="status">{t('noUsers')}</p>
        return (
          <ul class="items">
            {users.map((user) => (
              <li key={user.id}>
                <UserName user={user} />
                <Button look="secondary" onClick={() => onPick(user)}>
                  {action}
                  <span class="for-screen-readers"> {user.username}</span>
                </Button>
              </li>
            ))}
          </ul>
        )
      }}
    </ShowLoaded>
  )
}

/** A user by their username, with their name if it differs. */
export const UserName = ({ user }: { readonly user: FoundUser }) => (
  <div>
    {user.username}
    {user.display_name !== user.username && <div class="note">{user.display_name}</div>}
  </div>
)
