import { useState } from 'preact/hooks'
import type { ServiceUserDetail } from '../../../lib/client/generated/models.ts'
import type { GetUserSignInWaysQuery } from '../../../lib/client/generated/operations.ts'
import { Alert } from '../../kit/button.tsx'
import { describeFailure } from '../../kit/describe-failure.ts'
import { leavePage } from '../../kit/leave-page.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { saveUserData } from '../../session-kit/person-data.ts'
import { useConfirmedAction } from '../../session-kit/use-loaded.ts'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { useCurrentUser } from '../kit/current-user.ts'
import { Menu, MenuItem } from '../kit/menu.tsx'
import { leaveFor, navigate, toAddress } from '../kit/route.ts'
import { showToast } from '../kit/toast.tsx'
import { RemoveWayDialog } from './remove-way.tsx'
import { MergeDialog, SetPasswordDialog } from './user-dialogs.tsx'

const consoleText = messagesOf('console')
const people = messagesOf('people')
const t = messagesOf('users')

interface UserActionsProps {
  readonly user: ServiceUserDetail
  /** Whether it is the account of the administrator. */
  readonly isOwn: boolean
  readonly onChange: () => void
}

interface UserAction {
  readonly name: string
  readonly label: string
  readonly text: string
  readonly look: 'danger' | 'primary'
  readonly isOffered: boolean
  /** What to type first. */
  readonly typed?: string
  /** What it takes from the ways to sign in. */
  readonly without?: GetUserSignInWaysQuery
  readonly run: () => Promise<void>
}

/** What an administrator does with an account. Each action names its effect before it happens. */
export const UserActions = ({ user, isOwn, onChange }: UserActionsProps) => {
  const { can } = useCurrentUser()
  const [open, setOpen] = useState<string | undefined>()
  const close = (): void => setOpen(undefined)
  const isAdministrator = can('system:admin-access')
  // Administrators lock themselves out of nothing here.
  const offered = isOwn
    ? []
    : listActions(user, onChange).filter(
        ({ name, isOffered }) => isOffered && (name !== 'impersonate' || isAdministrator),
      )
  const current = offered.find(({ name }) => name === open)
  const save = useConfirmedAction(async () => {
    await saveUserData(user.id)
    return undefined
  })
  if (isOwn && !isAdministrator) return null
  const listItems = (wanted: UserAction['look']) =>
    offered
      .filter(({ look }) => look === wanted)
      .map(({ name, label, look }) => (
        <MenuItem
          key={name}
          danger={look === 'danger' ? (name === 'delete' ? 'trash' : 'barred') : undefined}
          onClick={() => setOpen(name)}
        >
          {label}
        </MenuItem>
      ))
  return (
    <>
      <Menu label={t('actions')}>
        {!isOwn && <MenuItem onClick={() => setOpen('password')}>{t('setPassword')}</MenuItem>}
        {listItems('primary')}
        {isAdministrator && (
          <>
            <MenuItem onClick={() => setOpen('merge')}>{t('merge')}</MenuItem>
            <MenuItem onClick={() => void save.run()}>{t('saveData')}</MenuItem>
            <a class="menu-item" href={toAddress('api-tokens', [], { user: String(user.id) })}>
              {t('openTokens')}
            </a>
            <a class="menu-item" href={toAddress('access-links', [], { person: String(user.id) })}>
              {t('openLinks')}
            </a>
          </>
        )}
        {!isOwn && (
          <MenuItem danger="barred" onClick={() => navigate(toAddress('users', [user.id, 'end']))}>
            {t('endEverything')}
          </MenuItem>
        )}
        {listItems('danger')}
      </Menu>
      <Alert kind="problem">{save.failure && describeFailure(save.failure)}</Alert>
      {open === 'merge' && <MergeDialog user={user} onMerge={onChange} onClose={close} />}
      {open === 'password' && <SetPasswordDialog user={user} onSave={onChange} onClose={close} />}
      {current?.without && (
        <RemoveWayDialog
          user={user}
          without={current.without}
          heading={consoleText('labeled', { label: current.label, name: user.username })}
          action={current.label}
          text={current.text}
          failures={{ permission_denied: people('notAllowedForUser') }}
          remove={current.run}
          onDone={() => undefined}
          onClose={close}
        />
      )}
      {current && !current.without && (
        <ConfirmDialog
          heading={consoleText('labeled', { label: current.label, name: user.username })}
          action={current.label}
          look={current.look}
          {...(current.typed === undefined ? {} : { typed: current.typed })}
          failures={{ permission_denied: people('notAllowedForUser') }}
          onConfirm={async () => {
            await current.run()
            return undefined
          }}
          onClose={close}
        >
          <p>{current.text}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Users who can sign in already need no invitation. */
const canBeInvited = (user: ServiceUserDetail): boolean =>
  user.email !== null && user.is_enabled && !user.has_password && !user.totp_enabled

const listActions = (user: ServiceUserDetail, onChange: () => void): readonly UserAction[] => {
  const { id, username, display_name: name } = user
  const finish = (text: string): void => {
    showToast(text)
    onChange()
  }
  return [
    {
      name: 'invite',
      label: user.invitation ? t('inviteAgain') : t('invite'),
      text: t('inviteText', { name }),
      look: 'primary',
      isOffered: canBeInvited(user),
      run: async () => {
        await client.users.inviteUser(id)
        finish(t('inviteSent'))
      },
    },
    {
      name: 'revoke',
      label: t('revokeInvitation'),
      text: t('revokeInvitationText', { name }),
      look: 'danger',
      isOffered: Boolean(user.invitation && user.invitation.state !== 'accepted'),
      run: async () => {
        await client.users.revokeInvitation(id)
        finish(t('invitationRevoked'))
      },
    },
    {
      name: 'reset',
      label: t('sendReset'),
      text: t('sendResetText', { name }),
      look: 'primary',
      isOffered: user.email !== null && user.has_password,
      run: async () => {
        await client.users.sendPasswordReset(id)
        showToast(t('resetSent'))
      },
    },
    {
      name: 'disable',
      label: t('disable'),
      text: t('disableText', { name }),
      look: 'danger',
      isOffered: user.is_enabled,
      run: async () => {
        await client.users.patchUser(id, { is_enabled: false })
        finish(t('disableDone'))
      },
    },
    {
      name: 'enable',
      label: t('enable'),
      text: t('enableText', { name }),
      look: 'primary',
      isOffered: !user.is_enabled,
      run: async () => {
        await client.users.patchUser(id, { is_enabled: true })
        finish(t('enableDone'))
      },
    },
    {
      name: 'factor',
      label: t('resetFactor'),
      text: t('resetFactorText', { name }),
      look: 'danger',
      isOffered: user.totp_enabled,
      // A public provider may need it.
      without: { without_totp: true },
      run: async () => {
        await client.users.disableTotp(id)
        finish(t('factorReset'))
      },
    },
    {
      name: 'impersonate',
      label: t('impersonate'),
      text: t('impersonateText', { name }),
      look: 'primary',
      isOffered: user.is_enabled,
      run: async () => {
        await client.impersonation.startImpersonation({ user: id })
        // The account of the user shows the banner that leads back.
        await leavePage('/account')
      },
    },
    {
      name: 'delete',
      label: t('deleteUser'),
      text: t('deleteUserText', { name }),
      look: 'danger',
      isOffered: true,
      typed: username,
      run: async () => {
        await client.users.deleteUser(id)
        showToast(people('deleted', { name: username }))
        leaveFor(toAddress('users'))
      },
    },
  ]
}
