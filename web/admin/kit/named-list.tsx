import type { ComponentChildren } from 'preact'
import type { ThingKind } from '../../../lib/kernel/contract/managed-kinds.ts'
import { type Page, type PageRequest, useList } from '../../session-kit/use-list.ts'
import { type Column, DataList } from './data-list.tsx'
import { SearchField } from './filters.tsx'
import { EmptyList, NoResults } from './load-state.tsx'
import { ManagedTag, useManagedOf } from './managed-marks.tsx'
import { replaceQuery, toAddress, useRoute } from './route.ts'
import { SectionPage } from './section-page.tsx'

const orderings = ['name', '-name'] as const

interface NamedRequest extends PageRequest {
  readonly ordering: (typeof orderings)[number]
  readonly filter?: string
}

interface NamedListProps<Item> {
  /** The name of the section in addresses. */
  readonly section: string
  readonly heading: string
  readonly intro: string
  /** The label of the link that creates one, for those who may. */
  readonly create: string | undefined
  /** Another link, before that one. */
  readonly action?: ComponentChildren
  /** The label of the search field, if one can search. */
  readonly search?: string
  readonly load: (request: NamedRequest, options: { readonly signal: AbortSignal }) => Promise<Page<Item>>
  /** The first one has the name. */
  readonly columns: readonly [Column<Item>, ...Column<Item>[]]
  /** What configuration documents call such things. */
  readonly kindOf: (item: Item) => ThingKind
  /** How many there are in all. */
  readonly total?: number | undefined
  /** What to say if there is nothing. */
  readonly empty: string
  /** The part of the reference that explains them, if its name differs from the section. */
  readonly guide?: string
}

/** A section that lists things by their names. The order and the search are part of the address. */
export const NamedList = <Item extends { readonly id: number }>(props: NamedListProps<Item>) => {
  const {
    section,
    heading,
    intro,
    create,
    action,
    search,
    load,
    kindOf,
    total,
    empty,
    guide = section,
  } = props
  const [named, ...others] = props.columns
  const { query } = useRoute()
  const filter = (search && query.get('filter')) || ''
  const ordering = orderings.find((name) => name === query.get('ordering')) ?? 'name'
  const list = useList(
    (page, options) => load({ ...page, ordering, ...(filter ? { filter } : {}) }, options),
    query.toString(),
  )
  const managed = useManagedOf(list.items, kindOf)
  const showName = (item: Item) => {
    const thing = managed.get(item.id)
    if (!thing) return named.cell(item)
    return (
      <span class="named">
        {named.cell(item)}
        <ManagedTag thing={thing} />
      </span>
    )
  }
  return (
    <SectionPage
      heading={heading}
      intro={intro}
      actions={
        <>
          {action}
          {create && (
            <a class="button primary" href={toAddress(section, ['new'])}>
              {create}
            </a>
          )}
        </>
      }
    >
      {search && (
        <div class="toolbar">
          <SearchField
            label={search}
            value={filter}
            onSearch={(text) => replaceQuery({ ...Object.fromEntries(query), filter: text })}
          />
        </div>
      )}
      <DataList
        label={heading}
        list={list}
        idOf={({ id }) => id}
        columns={[{ ...named, cell: showName }, ...others]}
        total={filter ? undefined : total}
        ordering={ordering}
        onOrder={(field) => replaceQuery({ ...Object.fromEntries(query), ordering: field })}
        empty={
          filter ? (
            <NoResults />
          ) : (
            <EmptyList text={empty} create={create && toAddress(section, ['new'])} guide={guide} />
          )
        }
      />
    </SectionPage>
  )
}
