import { useState } from 'preact/hooks'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { formatList } from '../../kit/format.ts'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import type { Action } from '../../kit/use-action.ts'
import { useConfirmedAction } from '../../session-kit/use-confirmed-action.ts'
import { showToast } from './toast.tsx'
import { type Draft, findConflicts } from './use-draft.ts'

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
