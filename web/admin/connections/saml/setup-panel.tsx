import { useState } from 'preact/hooks'
import type {
  NewSAMLSetupLink,
  SAMLProvider,
  SAMLSetupLink,
} from '../../../../lib/client/generated/models.ts'
import { Button } from '../../../kit/button.tsx'
import { formatDateTime } from '../../../kit/format.ts'
import { messagesOf } from '../../../kit/messages.ts'
import { client } from '../../../session-kit/client.ts'
import { useConfirmedAction, useLoaded } from '../../../session-kit/use-loaded.ts'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { FailureAlert } from '../../kit/failure-alert.tsx'
import { ShowLoaded } from '../../kit/load-state.tsx'
import { CopyFacts, Panel } from '../../kit/panel.tsx'
import { leaveFor, toAddress } from '../../kit/route.ts'
import { showToast } from '../../kit/toast.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('setupLinks')

/** Offers to let the customer's administrator enter what is missing, with a link. */
export const SetupOffer = ({ name }: { readonly name: string }) => {
  const [created, setCreated] = useState<NewSAMLSetupLink | undefined>()
  const create = useConfirmedAction(async () => {
    setCreated(await client.samlProviders.createSamlSetup({ name }))
    return undefined
  })
  return (
    <section class="stack">
      <h3>{t('heading')}</h3>
      <p class="note">{t('offer')}</p>
      {created ? (
        <>
          <NewLink link={created} />
          <div class="row">
            <Button
              look="secondary"
              onClick={() => leaveFor(toAddress('connections', ['saml', created.saml_provider]))}
            >
              {t('open', { name })}
            </Button>
          </div>
        </>
      ) : (
        <div class="row">
          <Button look="secondary" isRunning={create.isRunning} onClick={() => void create.run()}>
            {t('create')}
          </Button>
        </div>
      )}
      <FailureAlert failure={create.failure} />
    </section>
  )
}

const NewLink = ({ link }: { readonly link: NewSAMLSetupLink }) => (
  <>
    <p role="status">{t('once', { time: formatDateTime(link.expires_at) })}</p>
    <CopyFacts facts={[{ label: t('link'), value: link.url }]} />
  </>
)

/** The links with which a customer sets up a provider. A provider that is live has none. */
export const SetupPanel = ({ provider }: { readonly provider: SAMLProvider }) => {
  const [created, setCreated] = useState<NewSAMLSetupLink | undefined>()
  const [asked, setAsked] = useState<SAMLSetupLink | undefined>()
  const loaded = useLoaded((options) => client.samlProviders.getSamlSetupLinks(provider.id, options))
  const create = useConfirmedAction(async () => {
    setCreated(await client.samlProviders.createSamlSetupLink(provider.id))
    await loaded.reload()
    return undefined
  })
  const isWaiting = provider.entity_id.startsWith('urn:latchkey:setup:')
  if (loaded.failure || (loaded.value?.length === 0 && !isWaiting)) return null
  return (
    <Panel heading={t('heading')} intro={t('intro')}>
      <ShowLoaded loaded={loaded}>
        {(links) => (
          <ul class="items">
            {links.map((link) => (
              <li key={link.id}>
                <div>
                  {t('ends', { time: formatDateTime(link.expires_at) })}
                  {link.opened_at !== null && (
                    <div class="note">
                      {t('opened', { time: formatDateTime(link.opened_at), address: link.opened_from ?? '' })}
                    </div>
                  )}
                  <div class="note">
                    {t('used', {
                      time: link.used_at === null ? consoleText('never') : formatDateTime(link.used_at),
                    })}
                  </div>
                </div>
                <Button look="secondary" onClick={() => setAsked(link)}>
                  {t('revoke')}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </ShowLoaded>
      {created && <NewLink link={created} />}
      <FailureAlert failure={create.failure} />
      <p class="note">{t('replaces')}</p>
      <div class="row">
        <Button look="secondary" isRunning={create.isRunning} onClick={() => void create.run()}>
          {t('create')}
        </Button>
      </div>
      {asked && (
        <ConfirmDialog
          heading={t('revoke')}
          action={t('revoke')}
          onConfirm={async () => {
            await client.samlProviders.revokeSamlSetupLink(provider.id, asked.id)
            showToast(t('revoked'))
            setCreated(undefined)
            void loaded.reload()
            return undefined
          }}
          onClose={() => setAsked(undefined)}
        >
          <p>{t('revokeText')}</p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}
