import { useState } from 'preact/hooks'
import type { ConnectionDomain } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { formatDateTime } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { type Loaded, useConfirmedAction, useLoaded } from '../../session-kit/use-loaded.ts'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { FailureAlert, problemOf } from '../kit/failure-alert.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Sealed, useLocked } from '../kit/managed-mark.tsx'
import { CopyFacts, Panel } from '../kit/panel.tsx'
import { showToast } from '../kit/toast.tsx'

const t = messagesOf('connections')

/** The email domains of a connection, with the record that proves each. */
export const DomainPanel = ({ providerId }: { readonly providerId: number }) => {
  const loaded = useLoaded((options) => client.connections.getConnectionDomains(providerId, options))
  return (
    <Panel heading={t('domains')} intro={t('domainsIntro')}>
      <ShowLoaded loaded={loaded}>
        {(domains) =>
          domains.length > 0 && (
            <ul class="items">
              {domains.map((domain) => (
                <DomainItem key={domain.domain} providerId={providerId} domain={domain} loaded={loaded} />
              ))}
            </ul>
          )
        }
      </ShowLoaded>
      <Sealed>
        <AddDomain providerId={providerId} loaded={loaded} />
      </Sealed>
    </Panel>
  )
}

interface DomainsProps {
  readonly providerId: number
  readonly loaded: Loaded<readonly ConnectionDomain[]>
}

const AddDomain = ({ providerId, loaded }: DomainsProps) => {
  const [name, setName] = useState('')
  const add = useConfirmedAction(async () => {
    const { domain } = await client.connections.createConnectionDomain(providerId, { domain: name.trim() })
    setName('')
    showToast(t('domainAdded', { domain }))
    await loaded.reload()
    return undefined
  })
  return (
    <Form isRunning={add.isRunning} label={t('addDomain')} onSubmit={() => void add.run()}>
      <TextField
        label={t('newDomain')}
        hint={t('newDomainHint')}
        problem={problemOf(add.failure, 'domain')}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        maxLength={255}
        value={name}
        onChangeValue={setName}
      />
      <FailureAlert failure={add.failure} failures={{ conflict: t('domainTaken') }} />
      <div class="row">
        <Button type="submit" look="secondary">
          {t('addDomain')}
        </Button>
      </div>
    </Form>
  )
}

interface DomainProps extends DomainsProps {
  readonly domain: ConnectionDomain
}

const DomainItem = ({ providerId, domain, loaded }: DomainProps) => {
  const [asks, setAsks] = useState<'vouch' | 'remove' | undefined>()
  const { domain: name, state } = domain
  const isLocked = useLocked()
  const close = () => setAsks(undefined)
  const check = useConfirmedAction(async () => {
    const checked = await client.connections.checkConnectionDomain(providerId, name)
    showToast(describeState(checked))
    await loaded.reload()
    return undefined
  })
  const buttons = [
    ...(state === 'vouched' ? [] : [{ label: t('vouch'), onClick: () => setAsks('vouch') }]),
    ...(isLocked ? [] : [{ label: t('removeDomain'), onClick: () => setAsks('remove') }]),
  ]
  return (
    <li>
      <div class="stack">
        <h3>{name}</h3>
        <p class="note">{describeState(domain)}</p>
        <CopyFacts
          facts={[
            { label: t('txtName'), value: domain.txt_name },
            { label: t('txtValue'), value: domain.txt_value },
          ]}
        />
        <FailureAlert failure={check.failure} />
        <div class="row">
          <Button look="secondary" isRunning={check.isRunning} onClick={() => void check.run()}>
            {t('checkNow')}
            <span class="for-screen-readers"> {name}</span>
          </Button>
          {buttons.map(({ label, onClick }) => (
            <Button key={label} look="secondary" onClick={onClick}>
              {label}
              <span class="for-screen-readers"> {name}</span>
            </Button>
          ))}
        </div>
      </div>
      {asks === 'vouch' && (
        <ConfirmDialog
          heading={t('vouchHeading', { domain: name })}
          action={t('vouch')}
          onConfirm={async () => {
            await client.connections.vouchForConnectionDomain(providerId, name)
            await loaded.reload()
            return undefined
          }}
          onClose={close}
        >
          <p>{t('vouchText')}</p>
        </ConfirmDialog>
      )}
      {asks === 'remove' && (
        <ConfirmDialog
          heading={t('removeDomainHeading', { domain: name })}
          action={t('removeDomain')}
          onConfirm={async () => {
            await client.connections.deleteConnectionDomain(providerId, name)
            await loaded.reload()
            return undefined
          }}
          onClose={close}
        >
          <p>{t('removeDomainText')}</p>
        </ConfirmDialog>
      )}
    </li>
  )
}

const describeState = ({ state, proven_at: provenAt }: ConnectionDomain): string => {
  const time = provenAt === null ? '' : formatDateTime(provenAt)
  switch (state) {
    case 'pending':
      return t('domainPending')
    case 'proven':
      return t('domainProven', { time })
    case 'lost':
      return t('domainLost', { time })
    case 'vouched':
      return t('domainVouched')
  }
}
