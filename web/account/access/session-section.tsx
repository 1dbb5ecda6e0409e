import { useState } from 'preact/hooks'
import type { RememberedDevice, Session } from '../../../lib/client/generated/models.ts'
import { Alert, Button } from '../../kit/button.tsx'
import { describeFailure } from '../../kit/describe-failure.ts'
import { messagesOf } from '../../kit/messages.ts'
import { pageData } from '../../kit/start-path.ts'
import { client } from '../../session-kit/client.ts'
import { ConfirmDialog } from '../../session-kit/confirm-dialog.tsx'
import { ItemList } from '../../session-kit/items.tsx'
import {
  describeRememberedDevice,
  describeSession,
  describeSessionDevice,
} from '../../session-kit/session-text.ts'
import { useConfirmedAction, useLoaded } from '../../session-kit/use-loaded.ts'
import { useAccount } from '../account-state.ts'

const t = messagesOf('access')
const sessionText = messagesOf('session')

/** Where the user is signed in, and how to end that. */
export const SessionSection = () => {
  const { announce } = useAccount()
  const [isAsking, setAsking] = useState(false)
  const sessions = useLoaded(async () => {
    const { items } = await client.sessions.listOwnSessions({ ordering: '-created_at' })
    return [...items].sort((a, b) => Number(b.is_current) - Number(a.is_current))
  })
  const others = sessions.value?.filter((session) => !session.is_current) ?? []
  const endOthers = useConfirmedAction(async () => {
    announce('')
    for (const { id } of others) await client.sessions.endOwnSession(id)
    setAsking(false)
    await sessions.reload()
    announce(t('othersEnded'))
    return undefined
  })
  return (
    <>
      <section class="panel" aria-label={sessionText('thisSession')}>
        <p>{t('sessionsText')}</p>
        <ItemList loaded={sessions}>
          {(session) => <SessionItem key={session.id} session={session} onEnd={sessions.reload} />}
        </ItemList>
        {sessions.value && others.length === 0 && <p>{t('noOthers')}</p>}
        {others.length > 0 && (
          <div class="row">
            <Button look="danger" onClick={() => setAsking(true)}>
              {t('endOthers')}
            </Button>
          </div>
        )}
        {isAsking && (
          <ConfirmDialog
            heading={t('endOthersHeading')}
            confirmLabel={t('endOthers')}
            action={endOthers}
            onClose={() => setAsking(false)}
          >
            <p>{t('endOthersText')}</p>
          </ConfirmDialog>
        )}
      </section>
      {!pageData.user?.impersonatedBy && <DevicePanel />}
    </>
  )
}

/** Where the user needs no second factor, and how to end that. Most have no such browser, so there is nothing to show. */
const DevicePanel = () => {
  const { profile } = useAccount()
  const devices = useLoaded(async () => {
    const { items } = await client.sessions.listRememberedDevices(profile.id, { ordering: '-created_at' })
    return items
  })
  if (!devices.failure && !devices.value?.length) return null
  return (
    <section class="panel" aria-labelledby="remembered-devices">
      <h2 id="remembered-devices">{t('devices')}</h2>
      <p>{t('devicesText')}</p>
      <ItemList loaded={devices}>
        {(device) => <DeviceItem key={device.id} device={device} onEnd={devices.reload} />}
      </ItemList>
    </section>
  )
}

interface DeviceItemProps {
  readonly device: RememberedDevice
  readonly onEnd: () => Promise<void>
}

const DeviceItem = ({ device, onEnd }: DeviceItemProps) => {
  const { profile, announce } = useAccount()
  const end = useConfirmedAction(async () => {
    announce('')
    await client.sessions.endRememberedDevice(profile.id, device.id)
    await onEnd()
    announce(sessionText('deviceEnded'))
    return undefined
  })
  const name = describeSessionDevice(device)
  return (
    <li>
      <div class="item-text">
        <span class="item-name">
          {name} {device.is_current && <span class="badge">{sessionText('thisDevice')}</span>}
        </span>
        <bdi class="note">{describeRememberedDevice(device)}</bdi>
        <Alert kind="problem">{end.failure && describeFailure(end.failure)}</Alert>
      </div>
      <Button look="secondary" isRunning={end.isRunning} onClick={end.run}>
        {sessionText('endSession')}
        <span class="for-screen-readers"> {name}</span>
      </Button>
    </li>
  )
}

interface SessionItemProps {
  readonly session: Session
  readonly onEnd: () => Promise<void>
}

const SessionItem = ({ session, onEnd }: SessionItemProps) => {
  const { announce } = useAccount()
  const end = useConfirmedAction(async () => {
    announce('')
    await client.sessions.endOwnSession(session.id)
    await onEnd()
    announce(sessionText('sessionEnded'))
    return undefined
  })
  const device = describeSessionDevice(session)
  return (
    <li>
      <div class="item-text">
        <span class="item-name">
          {device} {session.is_current && <span class="badge">{sessionText('thisSession')}</span>}
        </span>
        <bdi class="note">{describeSession(session)}</bdi>
        <Alert kind="problem">{end.failure && describeFailure(end.failure)}</Alert>
      </div>
      {!session.is_current && (
        <Button look="secondary" isRunning={end.isRunning} onClick={end.run}>
          {sessionText('endSession')}
          <span class="for-screen-readers"> {device}</span>
        </Button>
      )}
    </li>
  )
}
