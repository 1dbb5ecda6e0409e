import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from '../../kit/button.tsx'
import { formatNumber } from '../../kit/format.ts'
import { LoadFailure } from '../../kit/load-failure.tsx'
import { messagesOf } from '../../kit/messages.ts'
import type { List } from '../../session-kit/use-list.ts'
import { ColumnChoice, useColumns } from './column-choice.tsx'
import { Loading } from './load-state.tsx'

const t = messagesOf('console')

export interface Column<Item> {
  readonly name: string
  readonly header: string
  readonly cell: (item: Item) => ComponentChildren
  /** For columns of buttons, which say what they do. Screen readers read the header. The column stays in view. */
  readonly hidesHeader?: boolean
  /** The field of the API that orders by this column. */
  readonly ordering?: string
  /** Whether a person has to choose this column to see it. */
  readonly isHidden?: boolean
  /** Whether the column is always shown, because it answers what the person asked for. */
  readonly isFixed?: boolean
}

/** Items that a person marked, to do the same with all of them. */
interface Selection<Item> {
  readonly items: readonly Item[]
  readonly set: (items: readonly Item[]) => void
  readonly canSelect: (item: Item) => boolean
  /** The label of the choice, for screen readers. */
  readonly describe: (item: Item) => string
}

interface DataListProps<Item> {
  readonly selection?: Selection<Item> | undefined
  readonly label: string
  readonly list: List<Item>
  /** How many entries the whole list has, if it is known and nothing is filtered. */
  readonly total?: number | undefined
  /** The name under which the browser keeps the chosen columns. Without it, all columns are shown. */
  readonly columnsName?: string
  readonly idOf: (item: Item) => string | number
  /** The first column names the item. */
  readonly columns: readonly Column<Item>[]
  /** A field of the API, with `-` before it for the reverse order. */
  readonly ordering?: string
  readonly onOrder?: (ordering: string) => void
  /** What to show if there is nothing. */
  readonly empty: ComponentChildren
}

/** A list by the cursors of the API: a table, and cards on narrow screens. */
export const DataList = <Item,>({ list, empty, total, columnsName, ...table }: DataListProps<Item>) => {
  const { items, isLoading, isStale, failure, hasMore, position, loadMore, reload, stop } = list
  const { shown, choice } = useColumns(columnsName, table.columns)
  const element = useRef<HTMLDivElement>(null)
  const added = useRef<number | undefined>(undefined)
  useLayoutEffect(() => {
    // People go on with the first new entry, also if the button is no longer there.
    const row = added.current !== undefined && element.current?.querySelectorAll('tbody > tr')[added.current]
    if (!row) return
    added.current = undefined
    row.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true })
  }, [items.length])
  return (
    <div ref={element} class={isStale ? 'list stack stale' : 'list stack'} aria-busy={isLoading}>
      {items.length > 0 && (
        <div class="list-bar">
          <p class="note" aria-hidden="true">
            {describeCount(items.length, { hasMore, total })}
          </p>
          {choice && <ColumnChoice {...choice} />}
        </div>
      )}
      {items.length > 0 && (
        <div class="table-frame">
          <Table items={items} {...table} columns={shown} />
        </div>
      )}
      <p class="for-screen-readers" role="status">
        {!isLoading && [t('entries', { count: items.length }), position].filter(Boolean).join(' ')}
      </p>
      {isLoading && items.length === 0 && <Loading />}
      {!isLoading && !failure && items.length === 0 && !hasMore && <div class="empty">{empty}</div>}
      <LoadFailure failure={failure} onRetry={items.length > 0 && !isStale ? loadMore : reload} />
      {position && <p class="note">{position}</p>}
      {position && isLoading && (
        <Button look="secondary" onClick={stop}>
          {t('stopSearch')}
        </Button>
      )}
      {hasMore && !failure && !(position && isLoading) && (
        <Button
          look="secondary"
          isRunning={isLoading}
          onClick={() => {
            added.current = items.length
            loadMore()
          }}
        >
          {t(position && items.length === 0 ? 'searchFurther' : 'showMore')}
        </Button>
      )}
    </div>
  )
}

/** Says how many entries there are in all. If that is not known, it says nothing: how many are on display is no fact about the list. */
const describeCount = (
  count: number,
  { hasMore, total }: { readonly hasMore: boolean; readonly total: number | undefined },
): string => {
  if (!hasMore) return t('entries', { count })
  return total === undefined
    ? ''
    : t('entriesOf', { count: formatNumber(count), total: formatNumber(Math.max(count, total)) })
}

type TableProps<Item> = Omit<DataListProps<Item>, 'list' | 'empty' | 'total' | 'columnsName'> & {
  readonly items: readonly Item[]
}

const Table = <Item,>(props: TableProps<Item>) => {
  const { label, items, idOf, columns, ordering, onOrder, selection } = props
  return (
    <table class="data-list" aria-label={label}>
      <thead>
        <tr>
          {columns.map((column, at) => (
            <th
              key={column.name}
              scope="col"
              class={column.hidesHeader ? 'acts' : undefined}
              aria-sort={column.ordering === undefined ? undefined : sortOf(ordering, column.ordering)}
            >
              {at === 0 && selection && <SelectAll items={items} selection={selection} idOf={idOf} />}
              {column.ordering !== undefined && onOrder ? (
                <OrderButton
                  ordering={ordering}
                  onOrder={onOrder}
                  field={column.ordering}
                  label={column.header}
                />
              ) : (
                <span class={column.hidesHeader ? 'for-screen-readers' : undefined}>{column.header}</span>
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={idOf(item)}>
            {columns.map(({ name, header, hidesHeader, cell }, at) => (
              <td
                key={name}
                class={hidesHeader ? 'acts' : undefined}
                data-label={hidesHeader ? undefined : header}
              >
                {at === 0 && selection ? (
                  <div class="selectable">
                    <SelectOne item={item} selection={selection} idOf={idOf} />
                    <Cell>{cell(item)}</Cell>
                  </div>
                ) : (
                  <Cell>{cell(item)}</Cell>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** More than a date and a time. */
const shortText = 24

/**
 * What a column shows. In a table, it is one line, so that many rows fit into a window. Addresses, prefixes and dates are not
 * broken: what has no space ends with an ellipsis, and the title says all of it.
 */
const Cell = ({ children }: { readonly children: ComponentChildren }) => (
  <div
    ref={(element) => {
      const text =
        element?.innerHTML
          .replaceAll(/<[^>]*>|&nbsp;/g, ' ')
          .replaceAll(/\s+/g, ' ')
          .trim() ?? ''
      const isShort = text.length <= shortText && !/\S{24}/.test(text)
      element?.classList.toggle('short', isShort)
      element?.classList.toggle('long', !isShort)
      if (isShort || element?.querySelector('button')) element?.removeAttribute('title')
      else element?.setAttribute('title', element.innerText)
    }}
  >
    {children}
  </div>
)

type Identify<Item> = Pick<DataListProps<Item>, 'idOf'>

interface SelectAllProps<Item> extends Identify<Item> {
  readonly items: readonly Item[]
  readonly selection: Selection<Item>
}

const SelectAll = <Item,>({ items, selection, idOf }: SelectAllProps<Item>) => {
  const all = items.filter(selection.canSelect)
  const selected = new Set(selection.items.map(idOf))
  const isSelected = all.length > 0 && all.every((item) => selected.has(idOf(item)))
  return (
    <label class="row-check">
      <input
        type="checkbox"
        aria-label={t('selectAll')}
        checked={isSelected}
        ref={(element) => {
          if (element) element.indeterminate = selected.size > 0 && !isSelected
        }}
        onChange={() => selection.set(isSelected ? [] : all)}
      />
    </label>
  )
}

interface SelectOneProps<Item> extends Identify<Item> {
  readonly item: Item
  readonly selection: Selection<Item>
}

const SelectOne = <Item,>({ item, selection, idOf }: SelectOneProps<Item>) => {
  const rest = selection.items.filter((other) => idOf(other) !== idOf(item))
  const isSelected = rest.length < selection.items.length
  return (
    <label class="row-check">
      <input
        type="checkbox"
        aria-label={selection.describe(item)}
        checked={isSelected}
        disabled={!selection.canSelect(item)}
        onChange={() => selection.set(isSelected ? rest : [...rest, item])}
      />
    </label>
  )
}

const sortOf = (ordering: string | undefined, field: string): 'ascending' | 'descending' | 'none' => {
  if (ordering === field) return 'ascending'
  return ordering === `-${field}` ? 'descending' : 'none'
}

interface OrderButtonProps {
  readonly label: string
  readonly field: string
  readonly ordering: string | undefined
  readonly onOrder: (ordering: string) => void
}

const OrderButton = ({ label, field, ordering, onOrder }: OrderButtonProps) => (
  <button
    type="button"
    class={`order ${sortOf(ordering, field)}`}
    onClick={() => onOrder(ordering === field ? `-${field}` : field)}
  >
    {label}
  </button>
)
