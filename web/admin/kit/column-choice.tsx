import { useState } from 'preact/hooks'
import { Checkbox } from '../../kit/field.tsx'
import { keepValue, readKeptValue } from '../../kit/kept-values.ts'
import { messagesOf } from '../../kit/messages.ts'
import { Menu } from './menu.tsx'

const t = messagesOf('console')

/** A column that people can show or hide. */
interface ChosenColumn {
  readonly name: string
  readonly header: string
  readonly ordering?: string
  readonly isHidden?: boolean
  readonly isFixed?: boolean
}

interface ColumnChoiceProps {
  readonly columns: readonly ChosenColumn[]
  readonly isShown: (name: string) => boolean
  readonly onChange: (name: string) => void
}

/** Lets a person choose the columns of a list, and says which of them order it. */
export const ColumnChoice = ({ columns, isShown, onChange }: ColumnChoiceProps) => (
  <Menu label={t('columns')} look="quiet" staysOpen>
    <fieldset class="stack" aria-label={t('columns')}>
      {columns.map(({ name, header, ordering }) => (
        <Checkbox
          key={name}
          label={ordering === undefined ? header : t('sortableColumn', { name: header })}
          isChecked={isShown(name)}
          onChange={() => onChange(name)}
        />
      ))}
      <p class="note">{t('columnsKept')}</p>
    </fieldset>
  </Menu>
)

const keptMs = 400 * 24 * 60 * 60_000

/** The chosen columns of a list, which the browser keeps. The first one always stays, because it names the entry. */
export const useColumns = <Column extends ChosenColumn>(
  listName: string | undefined,
  columns: readonly Column[],
): { readonly shown: readonly Column[]; readonly choice: ColumnChoiceProps | undefined } => {
  const keptName = `columns-${listName}`
  const byDefault = columns.flatMap(({ name, isHidden, isFixed }) => (isHidden || isFixed ? [] : [name]))
  const [chosen, choose] = useState<readonly string[]>(() => {
    const kept = listName === undefined ? undefined : readKeptValue('browser', keptName)
    return kept === undefined ? byDefault : kept.split(',')
  })
  if (listName === undefined) return { shown: columns, choice: undefined }
  const isShown = (name: string): boolean => chosen.includes(name)
  const [first, ...others] = columns
  return {
    shown: [...(first ? [first] : []), ...others.filter(({ name, isFixed }) => isFixed || isShown(name))],
    choice: {
      columns: others.filter(({ isFixed }) => !isFixed),
      isShown,
      onChange: (name) => {
        const next = isShown(name) ? chosen.filter((one) => one !== name) : [...chosen, name]
        choose(next)
        keepValue('browser', keptName, next.join(','), keptMs)
      },
    },
  }
}
