import { useState } from 'preact/hooks'
import type { OrganizationSignIn } from '../../lib/client/generated/models.ts'
import { isolate } from '../../lib/kernel/i18n/languages.ts'
import { Alert, Button } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { Checkbox, SelectField, TextField } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { loadChunk } from '../kit/load-chunk.tsx'
import { t as kitText, messagesOf } from '../kit/messages.ts'
import { pageData } from '../kit/start-path.ts'
import { useAnnounce } from '../session-kit/announce.ts'
import { client } from '../session-kit/client.ts'
import { ConfirmDialog } from '../session-kit/confirm-dialog.tsx'
import { CopiedValue } from '../session-kit/copied-value.tsx'
import { Disclosure } from '../session-kit/directory/disclosure.tsx'
import { Item, ItemList, useItemChange } from '../session-kit/items.tsx'
import { OrganizationSignInRules } from '../session-kit/organization-sign-in-rules.tsx'
import { useConfirmedAction, useLoaded } from '../session-kit/use-loaded.ts'
import { useOrganization } from './organization-state.ts'

const t = messagesOf('organizationSignIn')
const setup = messagesOf('setup')

const Directory = loadChunk(async () => (await import('./organization-directory.tsx')).OrganizationDirectory)

/** The identity providers of the organization, and the domains that they speak for. */
export const SignInSection = () => {
  const { organization, isOwn } = useOrganization()
  const [isAdding, setAdding] = useState(false)
  const [setupUrl, setSetupUrl] = useState('')
  const loaded = useLoaded((options) => client.organizations.getOrganizationSignIn(organization.id, options))
  const showAdded = (url: string | null) => {
    setAdding(false)
    setSetupUrl(url ?? '')
    void loaded.reload()
  }
  const rules = useLoaded((options) => client.organizations.getOrganization(organization.id, options))
  return (
    <>
      <section class="panel" aria-label={t('heading')}>
        <p>{t('text')}</p>
        {setupUrl !== '' && (
          <div class="stack">
            <p role="status">{t('setupText')}</p>
            <CopiedValue label={t('setupPage')} value={setupUrl} />
          </div>
        )}
        {isAdding && <AddForm onAdd={showAdded} onCancel={() => setAdding(false)} />}
        {isOwn && !isAdding && (
          <div class="row">
            <Button onClick={() => setAdding(true)}>{t('add')}</Button>
          </div>
        )}
        <ItemList loaded={loaded} empty={t('none')}>
          {(connection) => (
            <ConnectionItem key={connection.id} connection={connection} onChange={loaded.reload} />
          )}
        </ItemList>
      </section>
      {rules.value && loaded.value && (
        <OrganizationSignInRules
          organization={rules.value}
          connections={loaded.value}
          canManage={isOwn}
          onSave={rules.setValue}
        />
      )}
    </>
  )
}

interface AddFormProps {
  /** Shows the address of the set-up page, if there is one. */
  readonly onAdd: (setupUrl: string | null) => void
  readonly onCancel: () => void
}

const kinds = [
  { value: 'saml', label: 'SAML' },
  { value: 'oidc', label: 'OpenID Connect' },
] as const

const AddForm = ({ onAdd, onCancel }: AddFormProps) => {
  const { organization } = useOrganization()
  const announce = useAnnounce()
  const [kind, setKind] = useState('saml')
  const [issuer, setIssuer] = useState('')
  const [clientId, setClientId] = useState('')
  const [secret, setSecret] = useState('')
  const [allowsDirectory, setAllowsDirectory] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const missing = (text: string) => isChecked && text.trim() === '' && kitText('required')
  const add = useConfirmedAction(async () => {
    announce('')
    setChecked(true)
    const isOidc = kind === 'oidc'
    if (isOidc && [issuer, clientId, secret].some((text) => text.trim() === '')) return undefined
    const { setup_url: url } = await client.organizations.createOrganizationSignIn(organization.id, {
      kind: isOidc ? 'oidc' : 'saml',
      ...(!isOidc && { allows_directory: allowsDirectory }),
      ...(isOidc && { issuer: issuer.trim(), client_id: clientId.trim(), client_secret: secret.trim() }),
    })
    announce(t('added'))
    onAdd(url)
    return undefined
  })
  const plain = { autocomplete: 'off', autocapitalize: 'none', spellcheck: false } as const
  return (
    <Form isRunning={add.isRunning} onSubmit={add.run} label={t('add')}>
      <SelectField
        label={t('protocol')}
        name="sign-in-kind"
        value={kind}
        options={kinds}
        onChangeValue={setKind}
      />
      {kind === 'saml' && (
        <Checkbox label={t('allowsDirectory')} isChecked={allowsDirectory} onChange={setAllowsDirectory} />
      )}
      {kind === 'oidc' && (
        <>
          <TextField
            {...plain}
            label={t('issuer')}
            problem={missing(issuer)}
            maxLength={1023}
            value={issuer}
            onChangeValue={setIssuer}
          />
          <TextField
            {...plain}
            label={t('clientId')}
            problem={missing(clientId)}
            maxLength={255}
            value={clientId}
            onChangeValue={setClientId}
          />
          <TextField
            {...plain}
            label={t('clientSecret')}
            problem={missing(secret)}
            maxLength={1023}
            value={secret}
            onChangeValue={setSecret}
          />
        </>
      )}
      <Alert kind="problem">
        {add.failure &&
          describeFailure(add.failure, { company_sign_in_off: t('off'), invalid_request: t('invalid') })}
      </Alert>
      <div class="row">
        <Button type="submit">{t('add')}</Button>
        <Button look="secondary" onClick={onCancel}>
          {kitText('cancel')}
        </Button>
      </div>
    </Form>
  )
}

interface ConnectionProps {
  readonly connection: OrganizationSignIn
  readonly onChange: () => Promise<void>
}

const describeState = ({ state, kind }: OrganizationSignIn): string => {
  if (state === 'live') return t('live')
  if (state === 'awaits_approval') return t('waiting')
  return t(kind === 'saml' ? 'pageMissing' : 'domainMissing')
}

const ConnectionItem = ({ connection, onChange }: ConnectionProps) => {
  const { organization, isOwn } = useOrganization()
  const [isAsking, setAsking] = useState(false)
  const {
    id,
    kind,
    name,
    provider,
    domains,
    redirect_uri: redirectUri,
    is_from_organization: isTheirs,
  } = connection
  const canChange = isOwn && isTheirs
  const dialog = { onClose: () => setAsking(false), onChange }
  const remove = useItemChange(dialog, t('removed'), () =>
    client.organizations.deleteOrganizationSignIn(organization.id, id),
  )
  const title = [name, kinds.find(({ value }) => value === kind)?.label, provider]
  return (
    <Item
      name={title.filter(Boolean).join(' – ')}
      note={isTheirs ? describeState(connection) : t('managed')}
      actions={canChange ? [{ label: setup('removeDomain'), onClick: () => setAsking(true) }] : []}
    >
      {(canChange || domains.length > 0) && (
        <div class="stack">
          {redirectUri !== null && canChange && <CopiedValue label={t('redirectUri')} value={redirectUri} />}
          {domains.map((domain) => (
            <DomainItem
              key={domain.domain}
              connection={connection}
              domain={domain}
              canChange={canChange}
              onChange={onChange}
            />
          ))}
          {canChange && <AddDomain connection={connection} onChange={onChange} />}
          {canChange && connection.state === 'live' && (
            <Disclosure label={t('directory')}>{() => <Directory id={id} kind={kind} />}</Disclosure>
          )}
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          heading={t('removeHeading', { name: isolate(name, pageData.language) })}
          confirmLabel={setup('removeDomain')}
          action={remove}
          onClose={dialog.onClose}
        >
          <p>{t('removeText')}</p>
        </ConfirmDialog>
      )}
    </Item>
  )
}

const domainFailures = () => ({
  company_sign_in_off: t('off'),
  invalid_request: t('domainRefused'),
  conflict: t('domainRefused'),
})

/** Adds a domain, or looks for the record of one. */
const useCheck = ({ connection, onChange }: ConnectionProps, onDone: () => void = () => {}) => {
  const { organization } = useOrganization()
  const announce = useAnnounce()
  return useConfirmedAction(async (domain: string) => {
    announce('')
    await client.organizations.checkOrganizationDomain(organization.id, connection.id, { domain })
    await onChange()
    onDone()
    return undefined
  })
}

const AddDomain = (props: ConnectionProps) => {
  const [domain, setDomain] = useState('')
  const [isMissing, setMissing] = useState(false)
  const check = useCheck(props, () => setDomain(''))
  const submit = async () => {
    setMissing(domain.trim() === '')
    if (domain.trim() === '') return
    await check.run(domain.trim())
  }
  return (
    <Form
      isRunning={check.isRunning}
      onSubmit={() => void submit()}
      label={`${setup('addDomain')}: ${props.connection.name}`}
    >
      <TextField
        label={setup('domain')}
        problem={isMissing && kitText('required')}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        maxLength={255}
        value={domain}
        onChangeValue={setDomain}
      />
      <Alert kind="problem">{check.failure && describeFailure(check.failure, domainFailures())}</Alert>
      <div class="row">
        <Button type="submit" look="secondary">
          {setup('addDomain')}
        </Button>
      </div>
    </Form>
  )
}

interface DomainProps extends ConnectionProps {
  readonly domain: OrganizationSignIn['domains'][number]
  readonly canChange: boolean
}

const stateTexts = { pending: 'pending', proven: 'proven', vouched: 'proven' } as const

const DomainItem = ({ connection, domain, canChange, onChange }: DomainProps) => {
  const { organization } = useOrganization()
  const [isAsking, setAsking] = useState(false)
  const check = useCheck({ connection, onChange })
  const { domain: name, state, txt_name: recordName, txt_value: recordValue } = domain
  const dialog = { onClose: () => setAsking(false), onChange }
  const release = useItemChange(dialog, t('released'), () =>
    client.organizations.removeOrganizationDomain(organization.id, connection.id, name),
  )
  const isCounted = state === 'proven' || state === 'vouched'
  return (
    <section class="stack" aria-label={name}>
      <h2 dir="ltr">{name}</h2>
      <p role="status">
        {domain.awaits_approval ? t('waiting') : state === 'lost' ? t('lost') : setup(stateTexts[state])}
      </p>
      {!isCounted && (
        <>
          <CopiedValue label={setup('recordName')} value={recordName} />
          <CopiedValue label={setup('recordValue')} value={recordValue} />
        </>
      )}
      <Alert kind="problem">{check.failure && describeFailure(check.failure, domainFailures())}</Alert>
      {canChange && (
        <div class="row">
          {!isCounted && (
            <Button look="secondary" isRunning={check.isRunning} onClick={() => void check.run(name)}>
              {setup('checkNow')}
              <span class="for-screen-readers"> {name}</span>
            </Button>
          )}
          <Button look="quiet" onClick={() => setAsking(true)}>
            {setup('removeDomain')}
            <span class="for-screen-readers"> {name}</span>
          </Button>
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          heading={t('releaseHeading', { domain: isolate(name, pageData.language) })}
          confirmLabel={setup('removeDomain')}
          action={release}
          onClose={dialog.onClose}
        >
          <p>{t('releaseText')}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
