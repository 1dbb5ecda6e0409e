import { useState } from 'preact/hooks'
import { Checkbox, TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Panel } from '../kit/panel.tsx'

const t = messagesOf('people')

/** More groups than these get a search. */
const shownGroups = 8

interface GroupFieldsProps {
  readonly heading?: string
  /** IDs of groups. */
  readonly value: readonly number[]
  readonly onChange: (groups: number[]) => void
}

/** The groups of a user as choices. The chosen ones come first. */
export const GroupFields = ({ heading = t('groups'), value, onChange }: GroupFieldsProps) => {
  const groups = useLoaded(async (options) => {
    const { items } = await client.groups.listGroups({ ordering: 'name', include_members: false }, options)
    return [...items].sort((a, b) => Number(value.includes(b.id)) - Number(value.includes(a.id)))
  })
  const [search, setSearch] = useState('')
  return (
    <Panel heading={heading}>
      <ShowLoaded loaded={groups}>
        {(items) => {
          const wanted = search.trim().toLowerCase()
          const found = items.filter(
            ({ id, name }) => value.includes(id) || name.toLowerCase().includes(wanted),
          )
          const shown = wanted ? found : found.slice(0, Math.max(shownGroups, value.length))
          return (
            <>
              {items.length === 0 && <p>{t('noGroups')}</p>}
              {items.length > shownGroups && (
                <TextField
                  label={t('searchGroups')}
                  type="search"
                  autocomplete="off"
                  value={search}
                  onChangeValue={setSearch}
                />
              )}
              {shown.map(({ id, name }) => (
                <Checkbox
                  key={id}
                  label={name}
                  isChecked={value.includes(id)}
                  onChange={(isChosen) => onChange(sortIds(value, id, isChosen))}
                />
              ))}
            </>
          )
        }}
      </ShowLoaded>
    </Panel>
  )
}

const sortIds = (value: readonly number[], id: number, isChosen: boolean): number[] => {
  const rest = value.filter((given) => given !== id)
  return (isChosen ? [...rest, id] : rest).sort((a, b) => a - b)
}
