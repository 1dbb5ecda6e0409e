import './directory.css'
import { useState } from 'preact/hooks'
import type { ScimSettings, ScimState } from '../../../lib/client/generated/models.ts'
import { Alert, Button } from '../../kit/button.tsx'
import { describeFailure } from '../../kit/describe-failure.ts'
import { Checkbox, SelectField, TextField } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { formatDate, formatDateTime, formatNumber, formatRelativeTime } from '../../kit/format.ts'
import { LoadFailure } from '../../kit/load-failure.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { useAnnounce } from '../announce.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { CopiedValue } from '../copied-value.tsx'
import { Item, useItemChange } from '../items.tsx'
import { TokenValue } from '../new-token.tsx'
import { useConfirmedAction, useLoaded } from '../use-loaded.ts'
import type { DirectoryApi } from './directory-api.ts'
import { DirectoryGuidePanel } from './directory-guide.tsx'
import { type ConnectionKind, directoryGuides } from './directory-guides.ts'
import { CallList, GroupList, PersonList } from './directory-lists.tsx'
import { Disclosure } from './disclosure.tsx'
import { RequestPreview } from './request-preview.tsx'

const t = messagesOf('directory')
const access = messagesOf('access')

interface DirectoryPanelProps {
  readonly api: DirectoryApi
  readonly kind: ConnectionKind
}

/** The directory of a connection (SCIM): what it may do, how to connect it, and what it has sent. */
export const DirectoryPanel = ({ api, kind }: DirectoryPanelProps) => {
  const { value: state, failure, reload, setValue } = useLoaded(api.getState, api.key)
  if (!state)
    return failure ? (
      <LoadFailure failure={failure} onRetry={reload} />
    ) : (
      <p role="status">{kitText('loading')}</p>
    )
  return (
    <div class="stack">
      <StateForm api={api} state={state} onChange={setValue} />
      {state.enabled && (
        <>
          <CopiedValue label={t('baseUrl')} value={state.base_url} />
          <Tokens api={api} state={state} onChange={reload} />
          <DirectoryGuidePanel baseUrl={state.base_url} />
          <p class="note">{t('lateTokens')}</p>
          <SettingsForm
            key={JSON.stringify(toSettings(state))}
            api={api}
            kind={kind}
            state={state}
            onChange={setValue}
          />
        </>
      )}
      {(state.enabled || state.user_count > 0) && (
        <>
          <Disclosure label={t('people')}>{() => <PersonList api={api} />}</Disclosure>
          <Disclosure label={t('groups')}>{() => <GroupList api={api} />}</Disclosure>
          <Disclosure label={t('calls')}>{() => <CallList api={api} />}</Disclosure>
          <Disclosure label={t('preview')}>{() => <RequestPreview api={api} />}</Disclosure>
        </>
      )}
    </div>
  )
}

const toSettings = (state: ScimState): ScimSettings => ({
  enabled: state.enabled,
  match_to: state.match_to,
  match_attribute: state.match_attribute,
  creates_unknown_users: state.creates_unknown_users,
  allows_local_changes: state.allows_local_changes,
})

interface StateProps {
  readonly api: DirectoryApi
  readonly state: ScimState
  readonly onChange: (state: ScimState) => void
}

const StateForm = ({ api, state, onChange }: StateProps) => {
  const [isAsking, setAsking] = useState(false)
  const announce = useAnnounce()
  const set = async (enabled: boolean) => {
    announce('')
    onChange(await api.setSettings({ ...toSettings(state), enabled }))
    announce(kitText('saved'))
  }
  const turnOn = useConfirmedAction(async () => {
    await set(true)
    return undefined
  })
  const turnOff = useConfirmedAction(async () => {
    await set(false)
    setAsking(false)
    return undefined
  })
  const { last_sync_at: lastSync } = state
  return (
    <>
      <p role="status">{t(state.enabled ? 'stateOn' : 'stateOff')}</p>
      <dl class="directory-facts">
        <Fact label={t('people')} value={formatNumber(state.user_count)} />
        <Fact label={t('groups')} value={formatNumber(state.group_count)} />
        <Fact label={t('lastSync')} value={lastSync === null ? t('never') : formatDateTime(lastSync)} />
      </dl>
      <Alert kind="problem">{turnOn.failure && describeFailure(turnOn.failure)}</Alert>
      <div class="row">
        {state.enabled ? (
          <Button look="secondary" onClick={() => setAsking(true)}>
            {t('turnOff')}
          </Button>
        ) : (
          <Button isRunning={turnOn.isRunning} onClick={() => void turnOn.run()}>
            {t('turnOn')}
          </Button>
        )}
      </div>
      {isAsking && (
        <ConfirmDialog
          heading={t('turnOff')}
          confirmLabel={t('turnOff')}
          action={turnOff}
          onClose={() => setAsking(false)}
        >
          <p>{t('turnOffText')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

const Fact = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
)

interface TokensProps extends Omit<StateProps, 'onChange'> {
  readonly onChange: () => Promise<void>
}

const Tokens = ({ api, state: { tokens }, onChange }: TokensProps) => {
  const [value, setValue] = useState('')
  const announce = useAnnounce()
  const create = useConfirmedAction(async () => {
    const { token } = await api.createToken()
    await onChange()
    setValue(token)
    announce(access('tokenCreated'))
    return undefined
  })
  return (
    <section class="stack" aria-label={t('tokens')}>
      <h3>{t('tokens')}</h3>
      <p class="note">{t('tokensText')}</p>
      {value !== '' && <TokenValue value={value} onStored={() => setValue('')} />}
      {tokens.length > 0 && (
        <ul class="items">
          {tokens.map((token) => (
            <TokenItem key={token.id} api={api} token={token} onChange={onChange} />
          ))}
        </ul>
      )}
      <Alert kind="problem">
        {create.failure && describeFailure(create.failure, { conflict: t('tokensText') })}
      </Alert>
      {value === '' && (
        <div class="row">
          <Button look="secondary" isRunning={create.isRunning} onClick={() => void create.run()}>
            {t('createToken')}
          </Button>
        </div>
      )}
    </section>
  )
}

interface TokenItemProps {
  readonly api: DirectoryApi
  readonly token: ScimState['tokens'][number]
  readonly onChange: () => Promise<void>
}

const TokenItem = ({ api, token, onChange }: TokenItemProps) => {
  const [isAsking, setAsking] = useState(false)
  const { id, created_at: created, last_used_at: used } = token
  const dialog = { onClose: () => setAsking(false), onChange }
  const remove = useItemChange(dialog, t('tokenDeleted'), () => api.deleteToken(id))
  const name = t('tokenName', { id })
  return (
    <Item
      name={name}
      note={[
        access('createdOn', { date: formatDate(created) }),
        used === null ? access('neverUsed') : access('usedTime', { time: formatRelativeTime(used) }),
      ].join(' ')}
      actions={[{ label: t('deleteToken'), onClick: () => setAsking(true) }]}
    >
      {isAsking && (
        <ConfirmDialog
          heading={name}
          confirmLabel={t('deleteToken')}
          action={remove}
          onClose={dialog.onClose}
        >
          <p>{t('deleteTokenText')}</p>
        </ConfirmDialog>
      )}
    </Item>
  )
}

const targets = [
  { value: 'user_name', label: 'userName' },
  { value: 'external_id', label: 'externalId' },
] as const

interface SettingsFormProps extends StateProps {
  readonly kind: ConnectionKind
}

/** How a first sign-in finds its person, and what becomes of those whom the directory did not send. */
const SettingsForm = ({ api, kind, state, onChange }: SettingsFormProps) => {
  const [matchTo, setMatchTo] = useState(state.match_to)
  const [attribute, setAttribute] = useState(state.match_attribute ?? '')
  const [createsUnknown, setCreatesUnknown] = useState(state.creates_unknown_users)
  const [allowsLocalChanges, setAllowsLocalChanges] = useState(state.allows_local_changes)
  const announce = useAnnounce()
  const preset = directoryGuides.find(
    ({ match }) =>
      match[kind].match_to === matchTo && (match[kind].match_attribute ?? '') === attribute.trim(),
  )
  const choose = (name: string) => {
    const match = directoryGuides.find((guide) => guide.name === name)?.match[kind]
    if (!match) return
    setMatchTo(match.match_to)
    setAttribute(match.match_attribute ?? '')
  }
  const save = useConfirmedAction(async () => {
    announce('')
    const settings: ScimSettings = {
      enabled: state.enabled,
      match_to: matchTo,
      match_attribute: attribute.trim() || null,
      creates_unknown_users: createsUnknown,
      allows_local_changes: allowsLocalChanges,
    }
    onChange(await api.setSettings(settings))
    announce(kitText('saved'))
    return undefined
  })
  return (
    <section class="stack" aria-label={t('matching')}>
      <h3>{t('matching')}</h3>
      <p class="note">{t('matchingText')}</p>
      <Form isRunning={save.isRunning} onSubmit={() => void save.run()} label={t('matching')}>
        <SelectField
          label={t('preset')}
          name="scim-preset"
          value={preset?.name ?? ''}
          options={[
            { value: '', label: t('otherDirectory') },
            ...directoryGuides.map(({ name }) => ({ value: name, label: name })),
          ]}
          onChangeValue={choose}
        />
        <SelectField
          label={t('matchTo')}
          name="scim-match-to"
          value={matchTo}
          options={targets}
          onChangeValue={(value) => setMatchTo(value === 'external_id' ? value : 'user_name')}
        />
        <TextField
          label={t('matchAttribute')}
          hint={t('matchAttributeHint')}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          maxLength={255}
          value={attribute}
          onChangeValue={setAttribute}
        />
        <Checkbox
          label={t('createsUnknown')}
          hint={t('createsUnknownHint')}
          isChecked={createsUnknown}
          onChange={setCreatesUnknown}
        />
        <Checkbox
          label={t('allowsLocalChanges')}
          hint={t('allowsLocalChangesHint')}
          isChecked={allowsLocalChanges}
          onChange={setAllowsLocalChanges}
        />
        <Alert kind="problem">{save.failure && describeFailure(save.failure)}</Alert>
        <div class="row">
          <Button type="submit" look="secondary">
            {kitText('save')}
          </Button>
        </div>
      </Form>
    </section>
  )
}
