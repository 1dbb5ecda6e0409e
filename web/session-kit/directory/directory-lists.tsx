import { useState } from 'preact/hooks'
import type { ScimCall, ScimPerson } from '../../../lib/client/generated/models.ts'
import { day } from '../../../lib/kernel/util/time.ts'
import { Alert, Button } from '../../kit/button.tsx'
import type { ApiFailure } from '../../kit/call-api.ts'
import { describeFailure } from '../../kit/describe-failure.ts'
import { FormDialog, useClosing } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { formatDateTime } from '../../kit/format.ts'
import { LoadFailure } from '../../kit/load-failure.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { useAnnounce } from '../announce.ts'
import { Item, PagedItems } from '../items.tsx'
import { useList } from '../use-list.ts'
import { useConfirmedAction, useLoaded } from '../use-loaded.ts'
import type { DirectoryApi } from './directory-api.ts'

const t = messagesOf('directory')

interface ListProps {
  readonly api: DirectoryApi
}

export const PersonList = ({ api }: ListProps) => {
  const list = useList(api.listPeople, api.key)
  return (
    <>
      <PagedItems list={list} label={t('people')} empty={t('noPeople')}>
        {(person) => <PersonItem key={person.id} api={api} person={person} onChange={list.reload} />}
      </PagedItems>
      {list.items.some(({ active, ended_by: by }) => !active && by === 'directory') && (
        <BringBackAll api={api} onChange={list.reload} />
      )}
    </>
  )
}

/** Everyone whom the directory ended lately. */
const findLeavers = async (api: DirectoryApi): Promise<readonly ScimPerson[]> => {
  const since = Date.now() - day
  const { signal } = new AbortController()
  const found: ScimPerson[] = []
  for (let cursor: string | undefined; ; ) {
    const { items, nextCursor } = await api.listPeople({ limit: 1000, ...(cursor && { cursor }) }, { signal })
    found.push(
      ...items.filter(
        ({ active, ended_by: by, changed_at: at }) =>
          !active && by === 'directory' && Date.parse(at) >= since,
      ),
    )
    if (nextCursor === undefined) return found
    cursor = nextCursor
  }
}

/** Undoes what a directory did to many people by mistake. */
const BringBackAll = ({ api, onChange }: ListProps & { readonly onChange: () => void }) => {
  const [isOpen, setOpen] = useState(false)
  const announce = useAnnounce()
  const bringBack = useConfirmedAction(async () => {
    const people = await findLeavers(api)
    for (const { id } of people) await api.bringBack(id)
    onChange()
    setOpen(false)
    announce(t('broughtBackCount', { count: people.length }))
    return undefined
  })
  return (
    <div class="row">
      <Button look="secondary" onClick={() => setOpen(true)}>
        {t('bringBackAll')}
      </Button>
      {isOpen && (
        <FormDialog
          heading={t('bringBackAll')}
          action={t('bringBack')}
          isRunning={bringBack.isRunning}
          onSubmit={() => void bringBack.run()}
          onClose={() => setOpen(false)}
        >
          <p>{t('bringBackAllText')}</p>
          <BringBackProblem failure={bringBack.failure} />
        </FormDialog>
      )}
    </div>
  )
}

const BringBackProblem = ({ failure }: { readonly failure: ApiFailure | undefined }) => (
  <Alert kind="problem">{failure && describeFailure(failure, { conflict: t('bringBackRefused') })}</Alert>
)

interface PersonProps extends ListProps {
  readonly person: ScimPerson
  readonly onChange: () => void
}

const PersonItem = (props: PersonProps) => {
  const { person } = props
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const actions = person.active
    ? [{ label: t('samePerson'), onClick: () => setOpen(true) }]
    : person.ended_by === 'directory'
      ? [{ label: t('bringBack'), onClick: () => setOpen(true) }]
      : []
  return (
    <Item
      name={person.user_name}
      note={[describePerson(person), describeAccount(person), describeAddress(person)]
        .filter(Boolean)
        .join(' ')}
      actions={actions}
    >
      {isOpen && person.active && <AssignmentDialog {...props} onClose={close} />}
      {isOpen && !person.active && <BringBackDialog {...props} onClose={close} />}
    </Item>
  )
}

/** Undoes what the directory did to one person. */
const BringBackDialog = ({
  api,
  person: { id, user_name: name },
  onChange,
  onClose,
}: PersonProps & { readonly onClose: () => void }) => {
  const announce = useAnnounce()
  const close = useClosing(onClose)
  const bringBack = useConfirmedAction(async () => {
    await api.bringBack(id)
    onChange()
    close()
    announce(t('broughtBack', { name }))
    return undefined
  })
  return (
    <FormDialog
      heading={name}
      action={t('bringBack')}
      isRunning={bringBack.isRunning}
      onSubmit={() => void bringBack.run()}
      onClose={onClose}
    >
      <p>{t('bringBackText', { name })}</p>
      <BringBackProblem failure={bringBack.failure} />
    </FormDialog>
  )
}

/** Says whose account a person is who came back with another name at the identity provider. */
const AssignmentDialog = ({
  api,
  person: { id, user_name: name, user },
  onChange,
  onClose,
}: PersonProps & { readonly onClose: () => void }) => {
  const [typed, setTyped] = useState(user === null ? '' : String(user))
  const announce = useAnnounce()
  const close = useClosing(onClose)
  const save = useConfirmedAction(async () => {
    await api.assignPerson(id, Number(typed))
    onChange()
    close()
    announce(t('samePersonSaved'))
    return undefined
  })
  return (
    <FormDialog
      heading={name}
      action={kitText('save')}
      isRunning={save.isRunning}
      onSubmit={() => void save.run()}
      onClose={onClose}
    >
      <p>{t('samePersonText')}</p>
      <TextField
        label={t('accountNumber')}
        inputMode="numeric"
        autocomplete="off"
        required
        value={typed}
        onChangeValue={setTyped}
      />
      <Alert kind="problem">
        {save.failure &&
          describeFailure(save.failure, {
            invalid_request: t('samePersonUnknown'),
            not_found: t('samePersonUnknown'),
            conflict: t('samePersonTaken'),
          })}
      </Alert>
    </FormDialog>
  )
}

const describePerson = ({ active, ended_by: endedBy }: ScimPerson): string => {
  if (active) return t('personActive')
  return t(endedBy === 'service' ? 'personEndedHere' : 'personEnded')
}

/** Nobody waits for the sign-in of a person who may not sign in. */
const describeAccount = ({ account_username: username, active }: ScimPerson): string => {
  if (username !== null) return t('personAccount', { name: username })
  return active ? t('personWaits') : ''
}

const addressTexts = {
  used: 'addressUsed',
  at_sign_in: 'addressAtSignIn',
  other_address: 'addressOther',
  outside_domains: 'addressOutside',
} as const

const describeAddress = ({ address, address_use: use, active }: ScimPerson): string => {
  if (use === 'none') return t('addressNone')
  return use === 'at_sign_in' && !active ? '' : t(addressTexts[use], { address: address ?? '' })
}

export const GroupList = ({ api }: ListProps) => {
  const list = useList(api.listGroups, api.key)
  return (
    <PagedItems list={list} label={t('groups')} empty={t('noGroups')}>
      {(group) => (
        <Item key={group.id} name={group.display_name} note={formatDateTime(group.changed_at)} actions={[]}>
          {null}
        </Item>
      )}
    </PagedItems>
  )
}

export const CallList = ({ api }: ListProps) => {
  const { value: calls, failure, reload } = useLoaded(api.listCalls, api.key)
  if (!calls)
    return failure ? (
      <LoadFailure failure={failure} onRetry={reload} />
    ) : (
      <p role="status">{kitText('loading')}</p>
    )
  return (
    <>
      {calls.length === 0 && <p>{t('noCalls')}</p>}
      {calls.length > 0 && (
        <ul class="items" aria-label={t('calls')}>
          {calls.map((call, at) => (
            <CallItem key={`${call.at} ${at}`} call={call} />
          ))}
        </ul>
      )}
      <div class="row">
        <Button look="secondary" onClick={() => void reload()}>
          {t('showAgain')}
        </Button>
      </div>
    </>
  )
}

const adviceTexts = {
  ended_here: 'adviceEndedHere',
  unknown: 'adviceUnknown',
  taken: 'adviceTaken',
  conflict: 'adviceConflict',
  changed: 'adviceChanged',
  request: 'adviceRequest',
  too_many: 'adviceTooMany',
  too_large: 'adviceTooLarge',
  not_supported: 'adviceNotSupported',
  failed: 'adviceFailed',
} as const

const CallItem = ({ call }: { readonly call: ScimCall }) => {
  const { at, method, resource, status, detail, scim_type: type, name, advice } = call
  return (
    <li>
      <div class="item-text">
        <bdi class="item-name" dir="ltr">{`${method} ${resource} ${status}${type ? ` ${type}` : ''}`}</bdi>
        <bdi class="note">{[formatDateTime(at), name].filter(Boolean).join(' · ')}</bdi>
        {detail !== null && (
          <span lang="en" dir="ltr">
            {detail}
          </span>
        )}
        {advice !== 'none' && <span>{t(adviceTexts[advice])}</span>}
      </div>
    </li>
  )
}
