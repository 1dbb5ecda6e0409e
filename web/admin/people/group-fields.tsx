import type { KeptByDirectory } from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { type BodyForm, choose, FieldPanel, listIn, type OptionalNamesOf } from '../kit/body-fields.tsx'
import { ChoiceList } from '../kit/choice-list.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'

const access = messagesOf('access')
const t = messagesOf('people')

interface GroupFieldsProps<Body extends object> {
  readonly heading?: string
  readonly form: BodyForm<Body>
  /** The entry with the IDs of groups. */
  readonly name: OptionalNamesOf<Body, readonly number[]>
  /** What directories keep of the user. */
  readonly kept?: readonly KeptByDirectory[] | undefined
}

/** The groups of a user as choices. The chosen ones come first. */
export const GroupFields = <Body extends object>({
  heading = t('groups'),
  form,
  name,
  kept = [],
}: GroupFieldsProps<Body>) => {
  const value = listIn<number>(form.value, name)
  const groups = useLoaded(async (options) => {
    const { items } = await client.groups.listGroups({ ordering: 'name', include_members: false }, options)
    return [...items].sort((a, b) => Number(value.includes(b.id)) - Number(value.includes(a.id)))
  })
  return (
    <FieldPanel form={form} name={name} heading={heading}>
      <ShowLoaded loaded={groups}>
        {(items) =>
          items.length === 0 ? (
            <p>{t('noGroups')}</p>
          ) : (
            <ChoiceList
              choices={items.map((group) => {
                const keeper = kept.find(({ groups: ids }) => ids.includes(group.id))
                return {
                  value: group.id,
                  label: group.name,
                  ...(keeper && { isKept: true, hint: access('keptBy', { name: keeper.name }) }),
                }
              })}
              chosen={value}
              onChoose={(id, isChosen) => choose(form, name, id, isChosen)}
              search={t('searchGroups')}
              describeMore={(count) => t('moreGroups', { count })}
            />
          )
        }
      </ShowLoaded>
    </FieldPanel>
  )
}
