import { useState } from 'preact/hooks'
import type { OIDCClient } from '../../../lib/client/generated/models.ts'
import { day, second } from '../../../lib/kernel/util/time.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { SelectField } from '../../kit/field.tsx'
import { formatDate, formatDateTime } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { CopyButton } from '../../session-kit/copy-button.tsx'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { Panel } from '../kit/panel.tsx'
import { showToast } from '../kit/toast.tsx'

const t = messagesOf('apps')

/** How many days the secret before can keep working. */
const overlaps = [0, 1, 7, 30] as const

type Secret = OIDCClient['client_secrets'][number]

interface AppSecretsProps {
  readonly app: OIDCClient
  readonly onChange: () => Promise<void>
}

/** The secrets of an app, which are replaced without an interruption. */
export const AppSecrets = ({ app, onChange }: AppSecretsProps) => {
  const [isRenewing, setRenewing] = useState(false)
  const [ending, setEnding] = useState<Secret | undefined>()
  const [keptDays, setKeptDays] = useState('1')
  const [secret, setSecret] = useState('')
  const hasSecret = app.client_secrets.length > 0
  return (
    <Panel heading={t('secrets')}>
      {!hasSecret && app.public_keys.length === 0 && <p>{t('noSecrets')}</p>}
      {hasSecret && (
        <ul class="items">
          {app.client_secrets.map((one) => (
            <li key={one.id}>
              <div>{describeSecret(one)}</div>
              <Button look="secondary" onClick={() => setEnding(one)}>
                {t('endSecret')}
                <span class="for-screen-readers"> {describeSecret(one)}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div class="row">
        <Button onClick={() => setRenewing(true)}>{t('renew')}</Button>
      </div>
      {isRenewing && (
        <ConfirmDialog
          heading={t('renew')}
          action={t('renew')}
          look="primary"
          onConfirm={async () => {
            const renewal = hasSecret ? { keep_previous_for: (Number(keptDays) * day) / second } : {}
            setSecret((await client.oidcClients.renewOidcClientSecret(app.id, renewal)).client_secret)
            return undefined
          }}
          onClose={() => setRenewing(false)}
        >
          <p>{t('renewText')}</p>
          {hasSecret && (
            <SelectField
              label={t('keepFor')}
              value={keptDays}
              options={overlaps.map((count) => ({
                value: String(count),
                label: t('keepDays', { count }),
              }))}
              onChangeValue={setKeptDays}
            />
          )}
        </ConfirmDialog>
      )}
      {ending && (
        <ConfirmDialog
          heading={t('endSecretHeading')}
          action={t('endSecret')}
          onConfirm={async () => {
            await client.oidcClients.endOidcClientSecret(app.id, ending.id)
            showToast(t('secretEnded'))
            await onChange()
            return undefined
          }}
          onClose={() => setEnding(undefined)}
        >
          <p>{describeSecret(ending)}</p>
          <p>{t('endSecretText')}</p>
        </ConfirmDialog>
      )}
      {secret && (
        <SecretDialog
          app={app}
          secret={secret}
          onClose={() => {
            setSecret('')
            void onChange()
          }}
        />
      )}
    </Panel>
  )
}

const describeSecret = ({ created_at: created, expires, last_used: used }: Secret): string =>
  [
    t('secretCreated', { time: formatDateTime(created) }),
    ...(used === null ? [] : [t('secretUsed', { date: formatDate(used) })]),
    ...(expires === null ? [] : [t('secretUntil', { time: formatDateTime(expires) })]),
  ].join(' ')

interface SecretDialogProps {
  readonly app: Pick<OIDCClient, 'client_id' | 'redirect_uris'>
  readonly secret: string
  readonly onClose: () => void
}

/** Shows a new secret until the person says that they stored it. Nothing else of the page keeps it. */
export const SecretDialog = ({ app, secret, onClose }: SecretDialogProps) => {
  const settings = formatEnvironment(app, secret)
  return (
    // The Escape key would lose the secret.
    <Dialog heading={t('secret')} onClose={() => undefined}>
      <p>{t('secretOnce')}</p>
      <p class="copied">
        <code>{secret}</code> <CopyButton text={secret} label={t('secret')} />
      </p>
      <p class="copied">
        {t('environment')} <CopyButton text={settings} label={t('environment')} />
      </p>
      <div class="row">
        <Button onClick={onClose}>{t('secretStored')}</Button>
      </div>
    </Dialog>
  )
}

/** The settings of the app as a file `.env`. */
export const formatEnvironment = (
  { client_id: id, redirect_uris: [redirect = ''] }: Pick<OIDCClient, 'client_id' | 'redirect_uris'>,
  secret?: string,
): string =>
  [
    `ISSUER=${location.origin}`,
    `CLIENT_ID=${id}`,
    ...(secret === undefined ? [] : [`CLIENT_SECRET=${secret}`]),
    ...(redirect === '' ? [] : [`REDIRECT_URI=${redirect}`]),
    '',
  ].join('\n')
