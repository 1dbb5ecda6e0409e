import { useState } from 'preact/hooks'
import type {
  OrganizationRole,
  OwnOrganization,
  OwnOrganizationInvitation,
} from '../../../lib/client/generated/models.ts'
import { formatDate } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { ConfirmDialog } from '../../session-kit/confirm-dialog.tsx'
import { Item, ItemList, useItemChange } from '../../session-kit/items.tsx'
import { LeaveDialog } from '../../session-kit/leave-organization.tsx'
import { mayManage } from '../../session-kit/organization-permissions.ts'
import { describeRoles, useDeclaredRoles } from '../../session-kit/organization-roles.ts'
import { type Loaded, useLoaded } from '../../session-kit/use-loaded.ts'
import { CreateOrganization } from './create-organization.tsx'
import { JoinDialog } from './join-organization.tsx'

const t = messagesOf('organization')
const accountText = messagesOf('account')
const access = messagesOf('organizationAccess')
const invite = messagesOf('invite')

/** The organizations of the user with their roles in each, and those that invited them. */
export const OrganizationSection = () => {
  const organizations = useLoaded(async () => {
    const all: OwnOrganization[] = []
    for await (const organization of client.organizations.iterateOwnOrganizations()) all.push(organization)
    return all
  })
  const invitations = useLoaded(async () => {
    const all: OwnOrganizationInvitation[] = []
    for await (const one of client.organizations.iterateOwnOrganizationInvitations()) all.push(one)
    return all
  })
  const declaredRoles = useDeclaredRoles().value ?? []
  return (
    <>
      <InvitationPanel
        invitations={invitations}
        declaredRoles={declaredRoles}
        onJoin={organizations.reload}
      />
      <section class="panel" aria-label={accountText('organizations')}>
        {organizations.value && organizations.value.length > 0 && <p>{t('text')}</p>}
        <ItemList loaded={organizations} empty={t('none')}>
          {(organization) => (
            <OrganizationItem
              key={organization.id}
              organization={organization}
              declaredRoles={declaredRoles}
              onChange={organizations.reload}
            />
          )}
        </ItemList>
        <CreateOrganization onCreate={organizations.reload} />
      </section>
    </>
  )
}

interface OrganizationItemProps {
  readonly organization: OwnOrganization
  readonly declaredRoles: readonly OrganizationRole[]
  readonly onChange: () => Promise<void>
}

const OrganizationItem = ({ organization, declaredRoles, onChange }: OrganizationItemProps) => {
  const { id, name, state, roles, permissions } = organization
  const { joined_at: joined, sign_in_url: signInUrl, ends_at: endsAt } = organization
  const [isAsking, setAsking] = useState(false)
  const facts = [
    ...(state === 'suspended' ? [t('suspended')] : []),
    ...(endsAt === null ? [] : [t('endsOn', { date: formatDate(endsAt) })]),
    organization.roles_limited
      ? t('ownRolesLimited')
      : t('roles', { list: describeRoles(declaredRoles, roles) }),
    t('since', { date: formatDate(joined) }),
  ]
  return (
    <Item
      name={name}
      note={facts.join(' ')}
      actions={[
        ...(signInUrl === null
          ? []
          : [
              {
                label: access('signInNeeded'),
                address: `${signInUrl}&return_to=${encodeURIComponent('/account')}`,
              },
            ]),
        ...(mayManage(permissions) ? [{ label: t('manage'), address: `/organization#/${id}` }] : []),
        { label: t('leave'), onClick: () => setAsking(true) },
      ]}
    >
      {isAsking && (
        <LeaveDialog organization={organization} onClose={() => setAsking(false)} onChange={onChange} />
      )}
    </Item>
  )
}

interface InvitationPanelProps {
  readonly invitations: Loaded<OwnOrganizationInvitation[]>
  readonly declaredRoles: readonly OrganizationRole[]
  readonly onJoin: () => Promise<void>
}

/** The open invitations for the verified address of the user. Without any, there is nothing to see. */
const InvitationPanel = ({ invitations, declaredRoles, onJoin }: InvitationPanelProps) => {
  const { value, failure, reload } = invitations
  if (!failure && !value?.length) return null
  return (
    <section class="panel" aria-label={t('invitations')}>
      <h2>{t('invitations')}</h2>
      {value && <p>{t('invitationsText')}</p>}
      <ItemList loaded={invitations}>
        {(invitation) => (
          <InvitationItem
            key={invitation.id}
            invitation={invitation}
            declaredRoles={declaredRoles}
            onJoin={onJoin}
            onChange={reload}
          />
        )}
      </ItemList>
    </section>
  )
}

interface InvitationItemProps extends Pick<InvitationPanelProps, 'declaredRoles' | 'onJoin'> {
  readonly invitation: OwnOrganizationInvitation
  readonly onChange: () => Promise<void>
}

const InvitationItem = ({ invitation, declaredRoles, onJoin, onChange }: InvitationItemProps) => {
  const { id, organization_name: name, roles, invited_by: inviter } = invitation
  const { expires_at: ends, requires_link: requiresLink } = invitation
  const [open, setOpen] = useState<'join' | 'decline' | undefined>()
  const dialog = { onClose: () => setOpen(undefined), onChange }
  const decline = useItemChange(dialog, t('declined', { name }), () =>
    client.organizations.declineOrganizationInvitation(id),
  )
  const facts = [
    ...(inviter === null ? [] : [t('invitedBy', { name: inviter })]),
    t('roles', { list: describeRoles(declaredRoles, roles) }),
    t('validUntil', { date: formatDate(ends) }),
    ...(requiresLink ? [t('joinByLink')] : []),
  ]
  return (
    <Item
      name={name}
      note={facts.join(' ')}
      actions={[
        ...(requiresLink ? [] : [{ label: invite('join'), onClick: () => setOpen('join') }]),
        { label: t('decline'), onClick: () => setOpen('decline') },
      ]}
    >
      {open === 'join' && (
        <JoinDialog
          invitation={invitation}
          declaredRoles={declaredRoles}
          onClose={dialog.onClose}
          onChange={() => Promise.all([onJoin(), onChange()])}
        />
      )}
      {open === 'decline' && (
        <ConfirmDialog
          heading={t('declineHeading', { name })}
          confirmLabel={t('decline')}
          action={decline}
          onClose={dialog.onClose}
        >
          <p>{t('declineText')}</p>
        </ConfirmDialog>
      )}
    </Item>
  )
}
