import { useState } from 'preact/hooks'
import type { OrganizationInvitation, OrganizationRole } from '../../lib/client/generated/models.ts'
import { Alert, Button } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { FormDialog, useClosing } from '../kit/dialog.tsx'
import { TextField } from '../kit/field.tsx'
import { isEmailAddress } from '../kit/form.tsx'
import { formatDate } from '../kit/format.ts'
import { messagesOf } from '../kit/messages.ts'
import { useAnnounce } from './announce.ts'
import { client } from './client.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Item, type ItemDialogProps, PagedItems, useItemChange } from './items.tsx'
import { type ManagedOrganization, RoleChoices } from './organization-members.tsx'
import { describeRoles } from './organization-roles.ts'
import { useList } from './use-list.ts'
import { useConfirmedAction } from './use-loaded.ts'

const t = messagesOf('organizationAccess')
const shared = messagesOf('organization')

interface OrganizationInvitationsProps {
  readonly organization: ManagedOrganization
  readonly declaredRoles: readonly OrganizationRole[]
  /** Whether the person may invite others. The service decides again about each call. */
  readonly canManage: boolean
}

/** The invitations to an organization that nobody accepted yet, for the console and for its own members. */
export const OrganizationInvitations = (props: OrganizationInvitationsProps) => {
  const { organization, canManage } = props
  const [isInviting, setInviting] = useState(false)
  const list = useList(
    (page, options) => client.organizations.listOrganizationInvitations(organization.id, page, options),
    String(organization.id),
  )
  return (
    <>
      {canManage && (
        <div class="row">
          <Button onClick={() => setInviting(true)}>{t('invite')}</Button>
        </div>
      )}
      <PagedItems list={list} label={shared('invitations')} empty={t('noInvitations')}>
        {(invitation) => (
          <InvitationItem key={invitation.id} {...props} invitation={invitation} onChange={list.reload} />
        )}
      </PagedItems>
      {isInviting && <InviteDialog {...props} onClose={() => setInviting(false)} onChange={list.reload} />}
    </>
  )
}

/** Explains why nothing was sent. */
const listFailures = () => ({
  already_invited: t('alreadyInvited'),
  too_many_invitations: t('tooManyInvitations'),
  organization_suspended: t('suspendedText'),
  permission_denied: shared('notAllowed'),
})

interface InviteDialogProps extends OrganizationInvitationsProps, ItemDialogProps {}

const InviteDialog = ({ organization, declaredRoles, onClose, onChange }: InviteDialogProps) => {
  const announce = useAnnounce()
  const [email, setEmail] = useState('')
  const [roles, setRoles] = useState<readonly string[]>(['member'])
  const [isSubmitted, setSubmitted] = useState(false)
  const close = useClosing(onClose)
  const address = email.trim()
  const isAddress = isEmailAddress(address)
  const send = useConfirmedAction(async () => {
    await client.organizations.createOrganizationInvitation(organization.id, { email: address, roles })
    onChange()
    close()
    announce(t('sent', { email: address }))
    return undefined
  })
  const failures = { ...listFailures(), invalid_request: t('emailInvalid') }
  return (
    <FormDialog
      heading={t('invite')}
      action={t('send')}
      isRunning={send.isRunning}
      onSubmit={() => {
        setSubmitted(true)
        if (isAddress && roles.length > 0) void send.run()
      }}
      onClose={onClose}
    >
      <p>{t('inviteText', { organization: organization.name })}</p>
      <TextField
        label={t('email')}
        problem={isSubmitted && !isAddress && t('emailInvalid')}
        type="email"
        name="invited-email"
        autocomplete="off"
        maxLength={255}
        value={email}
        onChangeValue={setEmail}
        autoFocus
      />
      <fieldset class="stack" aria-label={shared('role')}>
        <RoleChoices by={organization} declaredRoles={declaredRoles} chosen={roles} onChoose={setRoles} />
      </fieldset>
      <Alert kind="problem">
        {send.failure
          ? describeFailure(send.failure, failures)
          : isSubmitted && roles.length === 0 && shared('roleMissing')}
      </Alert>
    </FormDialog>
  )
}

interface InvitationProps extends OrganizationInvitationsProps {
  readonly invitation: OrganizationInvitation
  readonly onChange: () => void
}

const InvitationItem = (props: InvitationProps) => {
  const { organization, invitation, declaredRoles, canManage, onChange } = props
  const [open, setOpen] = useState<'resend' | 'revoke' | undefined>()
  const { id, email, roles, state, email_state: emailState, expires_at: ends } = invitation
  const dialog = { onClose: () => setOpen(undefined), onChange }
  const resend = useItemChange(dialog, t('resent', { email }), () =>
    client.organizations.resendOrganizationInvitation(organization.id, id),
  )
  const revoke = useItemChange(dialog, t('revoked', { email }), () =>
    client.organizations.revokeOrganizationInvitation(organization.id, id),
  )
  const date = formatDate(ends)
  const facts = [
    shared('roles', { list: describeRoles(declaredRoles, roles) }),
    state === 'open' ? shared('validUntil', { date }) : t('expiredOn', { date }),
    ...(state === 'open' && emailState === 'delayed' ? [t('emailDelayed')] : []),
  ]
  const actions = [
    { label: t('resend'), onClick: () => setOpen('resend') },
    { label: t('revoke'), onClick: () => setOpen('revoke') },
  ]
  return (
    <Item name={email} note={facts.join(' ')} actions={canManage ? actions : []}>
      {open === 'resend' && (
        <FormDialog
          heading={t('resendHeading', { email })}
          action={t('resend')}
          isRunning={resend.isRunning}
          onSubmit={resend.run}
          onClose={dialog.onClose}
        >
          <p>{t('resendText')}</p>
          <Alert kind="problem">{resend.failure && describeFailure(resend.failure, listFailures())}</Alert>
        </FormDialog>
      )}
      {open === 'revoke' && (
        <ConfirmDialog
          heading={t('revokeHeading', { email })}
          confirmLabel={t('revoke')}
          action={revoke}
          onClose={dialog.onClose}
        >
          <p>{t('revokeText')}</p>
        </ConfirmDialog>
      )}
    </Item>
  )
}
