import { useRef, useState } from 'preact/hooks'
import type { Action } from '../../kit/button.tsx'
import { Button } from '../../kit/button.tsx'
import { toFailure } from '../../kit/call-api.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { formatList } from '../../kit/format.ts'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { isSame } from '../../kit/typed-text.ts'
import { useConfirmedAction } from '../../session-kit/use-loaded.ts'
import type { BodyForm } from './body-fields.tsx'
import { showToast } from './toast.tsx'

const t = messagesOf('console')

interface SaveOptions<Body extends object, Stored extends Body> {
  readonly stored: Stored
  /** Reads what is stored now. */
  readonly read: () => Promise<Stored>
  /** Sends the changed entries, with the rest of what was just read where a request replaces everything. Returns what was saved. */
  readonly write: (changes: Partial<Body>, current: Stored) => Promise<Stored>
  readonly onSave?: (saved: Stored) => void
}

/** A form of what is stored. */
export interface EditedForm<Body extends object> extends BodyForm<Body>, Draft<Body> {
  /** Saves the changes. With `true`, also over the changes of someone else. */
  readonly save: Action<[isForced?: boolean]>
  readonly conflict: { readonly fields: readonly string[]; readonly current: Body } | undefined
  readonly closeConflict: () => void
}

/** Edits what is stored, and sends what a person changed of it. If someone else changed the same entries, the person chooses first. */
export const useSave = <Body extends object, Stored extends Body = Body>(
  options: SaveOptions<Body, Stored>,
): EditedForm<Body> => {
  const { stored, read, write, onSave } = options
  const draft = useDraft<Body>(stored)
  const [conflict, setConflict] = useState<EditedForm<Body>['conflict']>()
  const save = useConfirmedAction(async (isForced = false) => {
    setConflict(undefined)
    const current = await read()
    const fields = isForced ? [] : findConflicts(draft, current)
    if (fields.length > 0) {
      setConflict({ fields, current })
      return undefined
    }
    const saved = await write(draft.changes, current)
    onSave?.(saved)
    draft.reset(saved)
    showToast(kitText('saved'))
    return undefined
  })
  return {
    ...draft,
    save,
    failure: save.failure,
    isSubmitted: false,
    conflict,
    closeConflict: () => setConflict(undefined),
  }
}

/** A form of what does not exist yet. */
export interface NewForm<Body extends object> extends BodyForm<Body>, Draft<Body> {
  readonly create: Action<[]>
  /** Sends it if no required field is empty. */
  readonly submit: () => void
}

/** Creates something from a body, which begins as `empty`. */
export const useCreate = <Body extends object>(
  empty: Body,
  work: (body: Body) => Promise<void>,
): NewForm<Body> => {
  const draft = useDraft(empty)
  const [isSubmitted, setSubmitted] = useState(false)
  const isUnanswered = useRef(false)
  const create = useConfirmedAction(async () => {
    try {
      await work(draft.value)
      return undefined
    } catch (error) {
      const failure = toFailure(error)
      // The first request was carried out, and only its answer was lost.
      if (failure.status === 409 && isUnanswered.current)
        return { ...failure, problem: { code: 'conflict', reason: 'created_before' } }
      isUnanswered.current = failure.status === 0
      return failure
    }
  })
  const submit = (): void => {
    const fields = [...document.querySelectorAll<HTMLInputElement>('form [required]')]
    setSubmitted(true)
    if (fields.every(({ value }) => value.trim() !== '')) void create.run()
  }
  return { ...draft, create, failure: create.failure, isSubmitted, submit }
}

/** Shows which fields someone else changed. Nothing is lost before the person chooses. */
export const ConflictDialog = <Body extends object>({ form }: { readonly form: EditedForm<Body> }) => {
  const { conflict, closeConflict, save } = form
  if (!conflict) return null
  const { fields, current } = conflict
  const takeTheirs = (): void => {
    const kept = Object.entries(form.changes).filter(([name]) => !fields.includes(name))
    form.rebase(current, Object.fromEntries(kept) as Partial<Body>)
    closeConflict()
  }
  const names = formatList(fields.map((field) => form.labels.get(field) ?? field))
  return (
    <Dialog heading={t('changedByOther')} onClose={closeConflict}>
      <p>{t('changedByOtherText', { fields: names })}</p>
      <div class="row">
        <Button look="danger" isRunning={save.isRunning} onClick={() => void save.run(true)}>
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

/** What a person does to a body: it differs from what was read in the changed entries. */
interface Draft<Body extends object>
  extends Pick<BodyForm<Body>, 'value' | 'base' | 'set' | 'labels' | 'path'> {
  /** The entries that differ from what was read. */
  readonly changes: Partial<Body>
  readonly isChanged: boolean
  /** Returns to what was read, or to these values. */
  readonly reset: (base?: Body) => void
  /** Uses other values as what was read, and keeps the changes of the person. */
  readonly rebase: (base: Body, kept: Partial<Body>) => void
}

const useDraft = <Body extends object>(initial: Body): Draft<Body> => {
  const [{ base, value }, setState] = useState({ base: initial, value: initial })
  const [labels] = useState(() => new Map<string, string>())
  const changes = findChanges(base, value)
  return {
    value,
    base,
    labels,
    path: '',
    changes,
    isChanged: Object.keys(changes).length > 0,
    set: (given) => setState((state) => ({ ...state, value: { ...state.value, ...given } })),
    reset: (to = base) => setState({ base: to, value: to }),
    rebase: (to, kept) => setState({ base: to, value: { ...to, ...kept } }),
  }
}

const findChanges = <Body extends object>(base: Body, value: Body): Partial<Body> => {
  const names = Object.keys(value) as (keyof Body)[]
  const changed = names.filter((name) => !isSame(value[name], base[name]))
  return Object.fromEntries(changed.map((name) => [name, value[name]])) as Partial<Body>
}

/** The entries that another person changed since they were read, to something else than this person. */
const findConflicts = <Body extends object>(
  { base, changes }: Pick<Draft<Body>, 'base' | 'changes'>,
  current: Body,
): readonly string[] =>
  (Object.keys(changes) as (keyof Body & string)[]).filter(
    (name) => !isSame(current[name], base[name]) && !isSame(current[name], changes[name]),
  )
