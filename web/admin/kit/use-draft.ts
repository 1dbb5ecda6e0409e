import { useLayoutEffect, useState } from 'preact/hooks'
import { setLeaveGuard } from './route.ts'

export interface Draft<Value> {
  readonly value: Value
  readonly set: (changes: Partial<Value>) => void
  /** The fields that differ from what was read. */
  readonly changes: Partial<Value>
  readonly isChanged: boolean
  /** Returns to what was read, or to these values. */
  readonly reset: (base?: Value) => void
  /** What was read. */
  readonly base: Value
  /** Uses other values as what was read, and keeps the changes of the person. */
  readonly rebase: (base: Value, kept: Partial<Value>) => void
}

/** Holds the values of a form, and which of them a person changed. */
export const useDraft = <Value extends object>(initial: Value): Draft<Value> => {
  const [{ base, value }, setState] = useState({ base: initial, value: initial })
  const changes = findChanges(base, value)
  return {
    value,
    base,
    changes,
    isChanged: Object.keys(changes).length > 0,
    set: (given) => setState((state) => ({ ...state, value: { ...state.value, ...given } })),
    reset: (to = base) => setState({ base: to, value: to }),
    rebase: (to, kept) => setState({ base: to, value: { ...to, ...kept } }),
  }
}

/** Compares values as the JSON that is sent. */
export const isSame = (first: unknown, second: unknown): boolean =>
  JSON.stringify(first) === JSON.stringify(second)

const findChanges = <Value extends object>(base: Value, value: Value): Partial<Value> => {
  const names = Object.keys(value) as (keyof Value)[]
  const changed = names.filter((name) => !isSame(value[name], base[name]))
  return Object.fromEntries(changed.map((name) => [name, value[name]])) as Partial<Value>
}

/** The fields that another person changed since they were read, to something else than this person. */
export const findConflicts = <Value extends object>(
  { base, changes }: Pick<Draft<Value>, 'base' | 'changes'>,
  current: Value,
): readonly (keyof Value & string)[] =>
  (Object.keys(changes) as (keyof Value & string)[]).filter(
    (name) => !isSame(current[name], base[name]) && !isSame(current[name], changes[name]),
  )

/** Asks before a person leaves a form with changes. Returns what to do when they leave, while the question is open. */
export const useLeaveGuard = (
  isChanged: boolean,
): { readonly leave: (() => void) | undefined; readonly stay: () => void } => {
  const [leave, setLeave] = useState<(() => void) | undefined>()
  // At once, because a person may leave right after they discarded their changes.
  useLayoutEffect(() => {
    if (!isChanged) return
    setLeaveGuard((goOn) => {
      setLeave(() => goOn)
      return true
    })
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => {
      setLeaveGuard(undefined)
      removeEventListener('beforeunload', warn)
    }
  }, [isChanged])
  return { leave, stay: () => setLeave(undefined) }
}
