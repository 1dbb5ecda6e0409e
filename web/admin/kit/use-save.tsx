import { useLayoutEffect, useState } from 'preact/hooks'
import type { Action } from '../../kit/button.tsx'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { formatList } from '../../kit/format.ts'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { useConfirmedAction } from '../../session-kit/use-loaded.ts'
import { setLeaveGuard } from './route.ts'
import { showToast } from './toast.tsx'

const t = messagesOf('console')

interface SaveOptions<Value extends object> {
  readonly draft: Draft<Value>
  /** Reads the values as they are now. */
  readonly read: () => Promise<Value>
  /** Sends the changes. Returns the values that were saved. */
  readonly write: (changes: Partial<Value>) => Promise<Value>
  readonly labels: Readonly<Record<keyof Value, string>>
}

interface Conflict<Value> {
  readonly fields: readonly (keyof Value & string)[]
  readonly current: Value
}

export interface Save<Value extends object> {
  /** Saves the draft. With `true`, also over the changes of someone else. */
  readonly action: Action<[isForced?: boolean]>
  readonly conflict: Conflict<Value> | undefined
  readonly closeConflict: () => void
}

/** Saves a draft. If someone else changed the same fields, the person chooses first. */
export const useSave = <Value extends object>(options: Omit<SaveOptions<Value>, 'labels'>): Save<Value> => {
  const { draft, read, write } = options
  const [conflict, setConflict] = useState<Conflict<Value> | undefined>()
  const action = useConfirmedAction(async (isForced = false) => {
    setConflict(undefined)
    const current = await read()
    const fields = isForced ? [] : findConflicts(draft, current)
    if (fields.length > 0) {
      setConflict({ fields, current })
      return undefined
    }
    draft.reset(await write(draft.changes))
    showToast(kitText('saved'))
    return undefined
  })
  return { action, conflict, closeConflict: () => setConflict(undefined) }
}

interface ConflictDialogProps<Value extends object> extends Pick<SaveOptions<Value>, 'draft' | 'labels'> {
  readonly save: Save<Value>
}

/** Shows which fields someone else changed. Nothing is lost before the person chooses. */
export const ConflictDialog = <Value extends object>({ save, draft, labels }: ConflictDialogProps<Value>) => {
  const { conflict, closeConflict, action } = save
  if (!conflict) return null
  const { fields, current } = conflict
  const takeTheirs = (): void => {
    const kept = Object.entries(draft.changes).filter(([name]) => !fields.some((field) => field === name))
    draft.rebase(current, Object.fromEntries(kept) as Partial<Value>)
    closeConflict()
  }
  return (
    <Dialog heading={t('changedByOther')} onClose={closeConflict}>
      <p>{t('changedByOtherText', { fields: formatList(fields.map((field) => labels[field])) })}</p>
      <div class="row">
        <Button look="danger" isRunning={action.isRunning} onClick={() => void action.run(true)}>
          {t('keepMine')}
        </Button>
        <Button look="secondary" onClick={takeTheirs}>
          {t('takeTheirs')}
        </Button>
        <Button look="secondary" onClick={closeConflict}>
          {kitText('cancel')}
        </Button>
      </div>
    </Dialog>
  )
}

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
const isSame = (first: unknown, second: unknown): boolean => JSON.stringify(first) === JSON.stringify(second)

const findChanges = <Value extends object>(base: Value, value: Value): Partial<Value> => {
  const names = Object.keys(value) as (keyof Value)[]
  const changed = names.filter((name) => !isSame(value[name], base[name]))
  return Object.fromEntries(changed.map((name) => [name, value[name]])) as Partial<Value>
}

/** The fields that another person changed since they were read, to something else than this person. */
const findConflicts = <Value extends object>(
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
      // The question is answered when there is nothing left to lose.
      setLeave(undefined)
      removeEventListener('beforeunload', warn)
    }
  }, [isChanged])
  return { leave, stay: () => setLeave(undefined) }
}
