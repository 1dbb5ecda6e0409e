import { useState } from 'preact/hooks'
import { Button } from '../../kit/button.tsx'
import { Checkbox, TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { type BodyForm, choose, FieldPanel, listIn, type OptionalNamesOf } from '../kit/body-fields.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'

const t = messagesOf('people')

/** More groups than these get a search. */
const shownGroups = 8

interface GroupFieldsProps<Body extends object> {
  readonly heading?: string
  readonly form: BodyForm<Body>
  /** The entry with the IDs of groups. */
  readonly name: OptionalNamesOf<Body, readonly number[]>
}

/** The groups of a user as choices. The chosen ones come first. */
export const GroupFields = <Body extends object>({
  heading = t('groups'),
  form,
  name,
}: GroupFieldsProps<Body>) => {
  const value = listIn<number>(form.value, name)
  const groups = useLoaded(async (options) => {
    const { items } = await client.groups.listGroups({ ordering: 'name', include_members: false }, options)
    return [...items].sort((a, b) => Number(value.includes(b.id)) - Number(value.includes(a.id)))
  })
  const [search, setSearch] = useState('')
  const [showsAll, setShowsAll] = useState(false)
  return (
    <FieldPanel form={form} name={name} heading={heading}>
      <ShowLoaded loaded={groups}>
        {(items) => {
          const wanted = search.trim().toLowerCase()
          const found = items.filter(
            (group) => value.includes(group.id) || group.name.toLowerCase().includes(wanted),
          )
          const shown = wanted || showsAll ? found : found.slice(0, Math.max(shownGroups, value.length))
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
              {shown.map((group) => (
                <Checkbox
                  key={group.id}
                  label={group.name}
                  isChecked={value.includes(group.id)}
                  onChange={(isChosen) => choose(form, name, group.id, isChosen)}
                />
              ))}
              {shown.length < found.length && (
                <div class="row">
                  <Button look="secondary" onClick={() => setShowsAll(true)}>
                    {t('moreGroups', { count: found.length - shown.length })}
                  </Button>
                </div>
              )}
            </>
          )
        }}
      </ShowLoaded>
    </FieldPanel>
  )
}
