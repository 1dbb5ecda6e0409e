import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../../kit/button.tsx'
import { Checkbox, TextField } from '../../kit/field.tsx'

/** More choices than these get a search. */
const shownChoices = 8

interface ChoiceListProps<Value extends string | number> {
  /** All that can be chosen. */
  readonly choices: readonly {
    readonly value: Value
    readonly label: string
    readonly hint?: ComponentChildren
    /** Whether it stays as it is. */
    readonly isKept?: boolean
  }[]
  readonly chosen: readonly Value[]
  readonly onChoose: (value: Value, isChosen: boolean) => void
  readonly search: string
  /** The label of the button that shows this many more. */
  readonly describeMore: (count: number) => string
}

/** Choices of which a person takes any number, with a search if there are many. Those that are chosen are always shown. */
export const ChoiceList = <Value extends string | number>({
  choices,
  chosen,
  onChoose,
  search,
  describeMore,
}: ChoiceListProps<Value>) => {
  const [typed, setTyped] = useState('')
  const [showsAll, setShowsAll] = useState(false)
  const wanted = typed.trim().toLowerCase()
  const found = choices.filter(
    ({ value, label }) => chosen.includes(value) || label.toLowerCase().includes(wanted),
  )
  const shown = wanted || showsAll ? found : found.slice(0, Math.max(shownChoices, chosen.length))
  return (
    <>
      {choices.length > shownChoices && (
        <TextField label={search} type="search" autocomplete="off" value={typed} onChangeValue={setTyped} />
      )}
      {shown.map(({ value, label, hint, isKept }) => (
        <Checkbox
          key={value}
          label={label}
          hint={hint}
          isChecked={chosen.includes(value)}
          isDisabled={isKept ?? false}
          onChange={(isChosen) => onChoose(value, isChosen)}
        />
      ))}
      {shown.length < found.length && (
        <div class="row">
          <Button look="secondary" onClick={() => setShowsAll(true)}>
            {describeMore(found.length - shown.length)}
          </Button>
        </div>
      )}
    </>
  )
}
