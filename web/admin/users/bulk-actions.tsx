import { useState } from 'preact/hooks'
import type { ServiceGroup, ServiceUserDetail } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { SelectField, TextField } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { formatList } from '../../kit/format.ts'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { ShowLoaded } from '../kit/load-state.tsx'
import { toAddress } from '../kit/route.ts'
import { RunDialog } from '../kit/run-dialog.tsx'
import { type RunReport, runForEach } from '../kit/run-for-each.ts'
import { showToast } from '../kit/toast.tsx'

const consoleText = messagesOf('console')
const people = messagesOf('people')
const groupText = messagesOf('groups')
const t = messagesOf('users')

type User = ServiceUserDetail

interface BulkAction {
  readonly name: string
  readonly label: string
  readonly text: string
  readonly look: 'danger' | 'primary'
  /** Whether the person types the number of users first. */
  readonly isTyped?: boolean
  readonly run: (user: User, group: number) => Promise<unknown>
  /** Takes it back for a user, if it changed something. */
  readonly undo?: (user: User) => Promise<unknown>
}

/** Disables users, and enables those again who were enabled until then. */
const createDisabling = (): Pick<BulkAction, 'run' | 'undo'> => {
  const disabled = new Set<number>()
  return {
    run: async ({ id }) => {
      // The list may have been loaded a while ago.
      const { is_enabled: wasEnabled } = await client.users.getUser(id)
      if (!wasEnabled) return
      await client.users.patchUser(id, { is_enabled: false })
      disabled.add(id)
    },
    undo: async ({ id }) => {
      if (disabled.has(id)) await client.users.patchUser(id, { is_enabled: true })
    },
  }
}

const listActions = (): readonly BulkAction[] => [
  {
    name: 'disable',
    label: t('disable'),
    text: t('bulkDisableText'),
    look: 'danger',
    ...createDisabling(),
  },
  {
    name: 'enable',
    label: t('enable'),
    text: t('bulkEnableText'),
    look: 'primary',
    run: ({ id }) => client.users.patchUser(id, { is_enabled: true }),
  },
  {
    name: 'sessions',
    label: t('endSessions'),
    text: t('bulkSessionsText'),
    look: 'danger',
    run: ({ id }) => client.sessions.endUserSessions(id),
  },
  {
    name: 'group',
    label: t('addToGroup'),
    text: groupText('intro'),
    look: 'primary',
    run: async ({ id }, group) => {
      // The list may have been loaded a while ago.
      const { groups } = await client.users.getUser(id)
      if (!groups.includes(group)) await client.users.patchUser(id, { groups: [...groups, group] })
    },
  },
  {
    name: 'delete',
    label: people('delete'),
    text: t('bulkDeleteText'),
    look: 'danger',
    isTyped: true,
    run: ({ id }) => client.users.deleteUser(id),
  },
]

interface BulkActionsProps {
  readonly users: readonly User[]
  readonly onSelect: (users: readonly User[]) => void
  readonly onChange: () => void
}

/** What an administrator does with all selected users. */
export const BulkActions = ({ users, onSelect, onChange }: BulkActionsProps) => {
  const [open, setOpen] = useState<BulkAction | undefined>()
  return (
    <section class="bulk-bar" aria-label={t('actions')}>
      <strong role="status">{t('selected', { count: users.length })}</strong>
      {listActions().map((action) => (
        <Button
          key={action.name}
          look={action.look === 'danger' ? 'danger' : 'secondary'}
          onClick={() => setOpen(action)}
        >
          {action.label}
        </Button>
      ))}
      <Button look="quiet" onClick={() => onSelect([])}>
        {t('clearSelection')}
      </Button>
      {open && (
        <BulkDialog
          action={open}
          users={users}
          onUndone={(undone) => {
            onSelect(undone)
            onChange()
          }}
          onEnd={(report) => {
            setOpen(undefined)
            if (!report) return
            // What remains can be tried again.
            onSelect([...report.failed.map(({ item }) => item), ...report.left])
            onChange()
          }}
        />
      )}
    </section>
  )
}

interface BulkDialogProps {
  readonly action: BulkAction
  readonly users: readonly User[]
  readonly onUndone: (users: readonly User[]) => void
  readonly onEnd: (report: RunReport<User> | undefined) => void
}

/** Asks with the number of users, and does it for each of them. */
const BulkDialog = ({ action, users, onUndone, onEnd }: BulkDialogProps) => (
  <RunDialog<User, number>
    heading={consoleText('labeled', { label: action.label, name: t('userCount', { count: users.length }) })}
    ask={(start, close) => (
      <Question action={action} users={users} start={(group) => start(users, group)} onClose={close} />
    )}
    work={action.run}
    show={({ id, username }) => <a href={toAddress('users', [id])}>{username}</a>}
    failures={{ permission_denied: people('notAllowedForUser') }}
    done={(count) => t('bulkDone', { action: action.label, count })}
    undo={action.undo && ((done) => undoAll(action, done, onUndone))}
    onEnd={onEnd}
  />
)

/** Takes an action back for everyone whom it was done for, and selects them again. */
const undoAll = async (
  action: BulkAction,
  done: readonly User[],
  onUndone: BulkDialogProps['onUndone'],
): Promise<void> => {
  const { signal } = new AbortController()
  const {
    done: undone,
    failed,
    left,
  } = await runForEach(done, async (user) => action.undo?.(user), { signal })
  onUndone(done)
  const remaining = [...failed.map(({ item }) => item), ...left]
  if (remaining.length === 0) return showToast(t('undone', { count: undone.length }))
  showToast(t('bulkReport', { done: undone.length, failed: failed.length, left: left.length }), {
    label: t('undo'),
    run: () => undoAll(action, remaining, onUndone),
  })
}

/** More names would hide the question. */
const shownNames = 8

interface QuestionProps extends Pick<BulkDialogProps, 'action' | 'users'> {
  readonly start: (group: number) => void
  readonly onClose: () => void
}

const Question = ({ action, users, start, onClose }: QuestionProps) => {
  const count = String(users.length)
  const [group, setGroup] = useState(0)
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState('')
  const names = users.slice(0, shownNames).map(({ username }) => username)
  const submit = (): void => {
    if (action.name === 'group' && group === 0) setProblem(kitText('required'))
    else if (action.isTyped && typed.trim() !== count)
      setProblem(consoleText('typeToConfirmProblem', { text: count }))
    else start(group)
  }
  return (
    <Form isRunning={false} onSubmit={submit}>
      <p>{action.text}</p>
      <p class="note">{users.length > shownNames ? `${names.join(', ')} …` : formatList(names)}</p>
      {action.name === 'group' && <GroupField value={group} problem={problem} onChange={setGroup} />}
      {action.isTyped && (
        <TextField
          label={consoleText('typeToConfirm', { text: count })}
          problem={problem}
          value={typed}
          onChangeValue={setTyped}
          autocomplete="off"
          inputMode="numeric"
        />
      )}
      <div class="row">
        <Button type="submit" look={action.look}>
          {action.label}
        </Button>
        <Button look="secondary" onClick={onClose}>
          {kitText('cancel')}
        </Button>
      </div>
    </Form>
  )
}

interface GroupFieldProps {
  readonly value: number
  readonly problem: string
  readonly onChange: (group: number) => void
}

const GroupField = ({ value, problem, onChange }: GroupFieldProps) => {
  const groups = useLoaded(
    async (options): Promise<readonly ServiceGroup[]> =>
      (await client.groups.listGroups({ ordering: 'name', include_members: false }, options)).items,
  )
  return (
    <ShowLoaded loaded={groups}>
      {(items) => (
        <SelectField
          label={groupText('group')}
          problem={problem}
          value={String(value)}
          options={[
            { value: '0', label: '–' },
            ...items.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          onChangeValue={(chosen) => onChange(Number(chosen))}
        />
      )}
    </ShowLoaded>
  )
}
