import { Button } from '../../kit/button.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { useCurrentUser } from '../kit/current-user.ts'
import { Panel } from '../kit/panel.tsx'
import { toAddress } from '../kit/route.ts'
import { type FoundUser, UserPicker } from '../people/user-picker.tsx'

const people = messagesOf('people')
const t = messagesOf('groups')

interface MemberFieldsProps {
  /** Users whose names are known. */
  readonly known: readonly FoundUser[]
  /** The IDs of the members. */
  readonly value: readonly number[]
  readonly onChange: (members: number[]) => void
  readonly onAdd: (user: FoundUser) => void
}

/** The members of a group. Changes are saved with the form of the group. */
export const MemberFields = ({ known, value, onChange, onAdd }: MemberFieldsProps) => {
  const { can } = useCurrentUser()
  const canManage = can('users:manage')
  const nameOf = (id: number): string => known.find((user) => user.id === id)?.username ?? String(id)
  return (
    <Panel heading={t('members')}>
      {value.length === 0 ? (
        <p>{t('noMembers')}</p>
      ) : (
        <ul class="items">
          {value.map((id) => (
            <li key={id}>
              <a href={toAddress('users', [id])}>{nameOf(id)}</a>
              {canManage && (
                <Button
                  look="secondary"
                  onClick={({ currentTarget }) => {
                    focusNeighbor(currentTarget)
                    onChange(value.filter((given) => given !== id))
                  }}
                >
                  {people('remove')}
                  <span class="for-screen-readers"> {nameOf(id)}</span>
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {canManage && (
        <>
          <h3>{t('addMembers')}</h3>
          <UserPicker
            action={people('add')}
            without={value}
            onPick={(user) => {
              onAdd(user)
              onChange([...value, user.id].sort((a, b) => a - b))
            }}
          />
        </>
      )}
    </Panel>
  )
}

/** Moves the focus to the button of the next entry, because this one goes away. */
const focusNeighbor = (button: HTMLElement): void => {
  const entry = button.closest('li')
  const neighbor = entry?.nextElementSibling ?? entry?.previousElementSibling
  neighbor?.querySelector('button')?.focus()
}
