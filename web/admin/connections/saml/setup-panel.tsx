import { useState } from 'preact/hooks'
import type {
  NewSAMLSetupLink,
  SAMLProvider,
  SAMLSetupLink,
} from '../../../../lib/client/generated/models.ts'
import { Button } from '../../../kit/button.tsx'
import { Checkbox } from '../../../kit/field.tsx'
import { formatDateTime } from '../../../kit/format.ts'
import { messagesOf } from '../../../kit/messages.ts'
import { client } from '../../../session-kit/client.ts'
import { useConfirmedAction, useLoaded } from '../../../session-kit/use-loaded.ts'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { FailureAlert } from '../../kit/failure-alert.tsx'
import { ShowLoaded } from '../../kit/load-state.tsx'
import { useLocked } from '../../kit/managed-mark.tsx'
import { formatMoment } from '../../kit/moment.ts'
import { CopyFacts, Panel } from '../../kit/panel.tsx'
import { toAddress } from '../../kit/route.ts'
import { showToast } from '../../kit/toast.tsx'

const t = messagesOf('setupLinks')

/** Whether a connection is being set up, and no one sent metadata yet. */
export const isWithoutMetadata = ({ entity_id: entityId }: SAMLProvider): boolean =>
  entityId.startsWith('urn:latchkey:setup:')

const createLink = (id: number, allowsDirectory: boolean): Promise<NewSAMLSetupLink> =>
  client.connections.createSamlSetupLink(id, { allows_directory: allowsDirectory })

interface SetupOfferProps {
  readonly id: number
  /** The link that was just created. Without it, there can be a new one. */
  readonly known: NewSAMLSetupLink | undefined
}

/** Offers to let the customer's administrator enter what is missing, with a link. */
export const SetupOffer = ({ id, known }: SetupOfferProps) => {
  const [link, setLink] = useState<NewSAMLSetupLink | undefined>()
  const [allowsDirectory, setAllowsDirectory] = useState(false)
  const create = useConfirmedAction(async () => {
    // The known one was created without the directory.
    const isKnown = known !== undefined && !allowsDirectory
    setLink(isKnown ? known : await createLink(id, allowsDirectory))
    return undefined
  })
  // Nobody could save anything with the link.
  if (useLocked()) return null
  return (
    <section class="stack">
      <h3>{t('heading')}</h3>
      <p class="note">{t('offer')}</p>
      {link ? (
        <NewLink link={link} />
      ) : (
        <>
          <Checkbox label={t('allowsDirectory')} isChecked={allowsDirectory} onChange={setAllowsDirectory} />
          <div class="row">
            <Button look="secondary" isRunning={create.isRunning} onClick={() => void create.run()}>
              {t('create')}
            </Button>
          </div>
        </>
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
  const [allowsDirectory, setAllowsDirectory] = useState(false)
  const [created, setCreated] = useState<NewSAMLSetupLink | undefined>()
  const [asked, setAsked] = useState<SAMLSetupLink | undefined>()
  const isLocked = useLocked()
  const loaded = useLoaded((options) => client.connections.getSamlSetupLinks(provider.id, options))
  const create = useConfirmedAction(async () => {
    setCreated(await createLink(provider.id, allowsDirectory))
    await loaded.reload()
    return undefined
  })
  if (loaded.failure || (loaded.value?.length === 0 && !isWithoutMetadata(provider))) return null
  return (
    <Panel heading={t('heading')} intro={t('intro')}>
      {!isLocked && (
        <div class="row">
          <a class="button primary" href={toAddress('connections', ['saml', provider.id, 'setup'])}>
            {t('continue')}
          </a>
        </div>
      )}
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
                      time: formatMoment(link.used_at),
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
      {!isLocked && (
        <>
          <p class="note">{t('replaces')}</p>
          <Checkbox label={t('allowsDirectory')} isChecked={allowsDirectory} onChange={setAllowsDirectory} />
          <div class="row">
            <Button look="secondary" isRunning={create.isRunning} onClick={() => void create.run()}>
              {t('create')}
            </Button>
          </div>
        </>
      )}
      {asked && (
        <ConfirmDialog
          heading={t('revoke')}
          action={t('revoke')}
          onConfirm={async () => {
            await client.connections.revokeSamlSetupLink(provider.id, asked.id)
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
