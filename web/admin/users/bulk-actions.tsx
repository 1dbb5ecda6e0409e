import { useEffect, useRef, useState } from 'preact/hooks'
import type { ServiceGroup, ServiceUserDetail } from '../../../lib/client/generated/models.ts'
import { Alert } from '../../kit/alert.tsx'
import { Button } from '../../kit/button.tsx'
import { describeFailure, describeWait } from '../../kit/describe-failure.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { SelectField, TextField } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { formatList } from '../../kit/format.ts'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { ShowLoaded } from '../kit/load-state.tsx'
import { toAddress } from '../kit/route.ts'
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
}

const listActions = (): readonly BulkAction[] => [
  {
    name: 'disable',
    label: t('disable'),
    text: t('bulkDisableText'),
    look: 'danger',
    run: ({ id }) => client.users.patchUser(id, { is_enabled: false }),
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
  readonly onEnd: (report: RunReport<User> | undefined) => void
}

/** Asks with the number of users, shows how far the work is, and lists what failed. */
const BulkDialog = ({ action, users, onEnd }: BulkDialogProps) => {
  const [progress, setProgress] = useState<number | undefined>()
  const [waitSeconds, setWait] = useState(0)
  const [report, setReport] = useState<RunReport<User> | undefined>()
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])
  const start = async (group: number): Promise<void> => {
    setProgress(0)
    const ended = await runForEach(users, (user) => action.run(user, group), {
      signal: stop.current.signal,
      onProgress: setProgress,
      onWait: setWait,
    })
    const isComplete = ended.done.length === users.length
    if (!isComplete) return setReport(ended)
    showToast(t('bulkDone', { action: action.label, count: users.length }))
    onEnd(ended)
  }
  const close = (): void => {
    if (progress === undefined || report) onEnd(report)
    else stop.current.abort()
  }
  return (
    <Dialog heading={`${action.label}: ${t('userCount', { count: users.length })}`} onClose={close}>
      {progress === undefined && <Question {...{ action, users, start }} onClose={close} />}
      {progress !== undefined && !report && (
        <Progress done={progress} count={users.length} waitSeconds={waitSeconds} onStop={close} />
      )}
      {report && <Report report={report} onClose={close} />}
    </Dialog>
  )
}

/** More names would hide the question. */
const shownNames = 8

interface QuestionProps extends Pick<BulkDialogProps, 'action' | 'users'> {
  readonly start: (group: number) => Promise<void>
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
    else void start(group)
  }
  return (
    <Form onSubmit={submit}>
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

interface ProgressProps {
  readonly done: number
  readonly count: number
  readonly waitSeconds: number
  readonly onStop: () => void
}

const Progress = ({ done, count, waitSeconds, onStop }: ProgressProps) => {
  const text = t('bulkProgress', { done, count })
  const element = useRef<HTMLDivElement>(null)
  // The button that started the work is no longer there.
  useEffect(() => element.current?.querySelector('button')?.focus(), [])
  return (
    <div ref={element} class="stack">
      <progress aria-label={text} value={done} max={count} />
      <p>{text}</p>
      <Alert>{waitSeconds > 0 && t('bulkWaiting', { wait: describeWait(waitSeconds) })}</Alert>
      <div class="row">
        <Button look="secondary" onClick={onStop}>
          {t('stop')}
        </Button>
      </div>
    </div>
  )
}

interface ReportProps {
  readonly report: RunReport<User>
  readonly onClose: () => void
}

const Report = ({ report: { done, failed, left }, onClose }: ReportProps) => {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => element.current?.querySelector('button')?.focus(), [])
  return (
    <div ref={element} class="stack">
      <Alert kind="problem">
        {t('bulkReport', { done: done.length, failed: failed.length, left: left.length })}
      </Alert>
      {failed.length > 0 && (
        <ul class="items">
          {failed.map(({ item, failure }) => (
            <li key={item.id}>
              <a href={toAddress('users', [item.id])}>{item.username}</a>
              <span>{describeFailure(failure, { permission_denied: people('notAllowedForUser') })}</span>
            </li>
          ))}
        </ul>
      )}
      <div class="row">
        <Button onClick={onClose}>{kitText('close')}</Button>
      </div>
    </div>
  )
}
