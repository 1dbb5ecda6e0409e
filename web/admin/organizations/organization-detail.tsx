import { useState } from 'preact/hooks'
import type { Organization, OrganizationChanges } from '../../../lib/client/generated/models.ts'
import { Alert, Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { formatDate, formatNumber } from '../../kit/format.ts'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { OrganizationInvitations } from '../../session-kit/organization-invitations.tsx'
import { OrganizationMembers, RoleChoices } from '../../session-kit/organization-members.tsx'
import { listTokenPermissions } from '../../session-kit/organization-permissions.ts'
import { useDeclaredRoles } from '../../session-kit/organization-roles.ts'
import { OrganizationSignInRules } from '../../session-kit/organization-sign-in-rules.tsx'
import { OrganizationTokens } from '../../session-kit/organization-tokens.tsx'
import { useConfirmedAction, useLoaded } from '../../session-kit/use-loaded.ts'
import { ConfirmDialog, DeleteButton } from '../kit/confirm-dialog.tsx'
import { useCurrentUser } from '../kit/current-user.ts'
import { EditForm } from '../kit/edit-form.tsx'
import { EventsLink } from '../kit/events-link.tsx'
import { FailureAlert } from '../kit/failure-alert.tsx'
import { History } from '../kit/history.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Facts, Panel } from '../kit/panel.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { TabPanel, Tabs } from '../kit/tabs.tsx'
import { showToast } from '../kit/toast.tsx'
import { useSave } from '../kit/use-save.tsx'
import { type FoundUser, UserPicker } from '../people/user-picker.tsx'
import { OrganizationFields } from './new-organization.tsx'
import { OrganizationState } from './organization-state.tsx'

const consoleText = messagesOf('console')
const accessText = messagesOf('organizationAccess')
const brandingText = messagesOf('branding')
const people = messagesOf('people')
const organizationText = messagesOf('organization')
const t = messagesOf('organizations')

/** One organization: its members, what is known about it, and what can be done. */
export const OrganizationDetail = ({ id }: { readonly id: number }) => {
  const loaded = useLoaded((options) => client.organizations.getOrganization(id, options))
  const { can } = useCurrentUser()
  const canManage = can('organizations:manage')
  return (
    <ShowLoaded loaded={loaded}>
      {(organization) => (
        <SectionPage
          heading={organization.name}
          parent={{ address: toAddress('organizations'), label: consoleText('organizations') }}
          actions={
            <>
              <OrganizationState organization={organization} />
              <EventsLink of={{ object: `organization:${id}`, name: organization.name }} />
              {canManage && <StateButton organization={organization} onChange={loaded.setValue} />}
              {canManage && organization.ends_at !== null && (
                <KeepButton organization={organization} onChange={loaded.setValue} />
              )}
              {canManage && (
                <DeleteButton
                  label={t('deleteOrganization')}
                  name={organization.name}
                  text={t('deleteText')}
                  onDelete={async () => {
                    await client.organizations.deleteOrganization(id)
                    showToast(people('deleted', { name: organization.name }))
                    leaveFor(toAddress('organizations'))
                  }}
                />
              )}
            </>
          }
        >
          <Alert kind="warning">{organization.is_ownerless && t('ownerlessText')}</Alert>
          <Alert kind="warning">
            {organization.ends_at !== null &&
              organizationText('endsOn', { date: formatDate(organization.ends_at) })}
          </Alert>
          <Tabs
            label={organization.name}
            tabs={[
              { name: 'members', label: organizationText('members') },
              { name: 'invitations', label: organizationText('invitations') },
              ...(canManage ? [{ name: 'api-tokens', label: accessText('apiTokens') }] : []),
              { name: 'settings', label: t('settings') },
            ]}
          >
            <TabPanel name="members">
              <Members organization={organization} onChange={() => void loaded.reload()} />
            </TabPanel>
            <TabPanel name="invitations">
              <Invitations organization={organization} />
            </TabPanel>
            {canManage && (
              <TabPanel name="api-tokens">
                <Tokens organization={organization} />
              </TabPanel>
            )}
            <TabPanel name="settings">
              <Overview organization={organization} canManage={canManage} onChange={loaded.setValue} />
              <SettingsForm organization={organization} onSave={loaded.setValue} />
              {canManage && <SignInRules organization={organization} onSave={loaded.setValue} />}
            </TabPanel>
          </Tabs>
          <History of={{ organization: String(id) }} />
        </SectionPage>
      )}
    </ShowLoaded>
  )
}

interface OrganizationProps {
  readonly organization: Organization
}

interface OverviewProps extends OrganizationProps {
  readonly canManage: boolean
  readonly onChange: (organization: Organization) => void
}

const Overview = ({ organization, canManage, onChange }: OverviewProps) => (
  <Panel heading={t('organization')}>
    <Facts
      facts={[
        { label: t('id'), value: String(organization.id) },
        { label: organizationText('members'), value: formatNumber(organization.member_count) },
        { label: t('createdAt'), value: formatDate(organization.created_at) },
        ...organization.former_slugs.map(({ slug, reserved_until: until }) => ({
          label: t('formerSlug'),
          value: (
            <>
              {t('formerSlugUntil', { slug, date: formatDate(until) })}{' '}
              <ReleaseButton slug={slug} organization={organization} onChange={onChange} />
            </>
          ),
        })),
      ]}
    />
    {canManage && <RecountButton organization={organization} onChange={onChange} />}
  </Panel>
)

const RecountButton = ({ organization, onChange }: Omit<OverviewProps, 'canManage'>) => {
  const recount = useConfirmedAction(async () => {
    onChange(await client.organizations.recountOrganization(organization.id))
    showToast(t('recounted'))
    return undefined
  })
  return (
    <>
      <div class="row">
        <Button look="secondary" isRunning={recount.isRunning} onClick={recount.run}>
          {t('recount')}
        </Button>
      </div>
      <FailureAlert failure={recount.failure} />
    </>
  )
}

/** Lets other organizations have a former slug, after a question. */
const ReleaseButton = ({ slug, organization, onChange }: StateButtonProps & { readonly slug: string }) => {
  const [isAsking, setAsking] = useState(false)
  const { can } = useCurrentUser()
  if (!can('organizations:manage')) return null
  return (
    <>
      <Button
        look="secondary"
        aria-label={consoleText('labeled', { label: t('releaseSlug'), name: slug })}
        onClick={() => setAsking(true)}
      >
        {t('releaseSlug')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          heading={consoleText('labeled', { label: t('releaseSlug'), name: slug })}
          action={t('releaseSlug')}
          onConfirm={async () => {
            await client.organizations.releaseOrganizationSlug(slug)
            showToast(t('releaseSlugDone', { slug }))
            const kept = organization.former_slugs.filter((one) => one.slug !== slug)
            onChange({ ...organization, former_slugs: kept })
            return undefined
          }}
          onClose={() => setAsking(false)}
        >
          <p>{t('releaseSlugText')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

interface SettingsFormProps extends OrganizationProps {
  readonly onSave: (organization: Organization) => void
}

const SettingsForm = ({ organization, onSave }: SettingsFormProps) => {
  const { can } = useCurrentUser()
  const { id } = organization
  const form = useSave<OrganizationChanges, Organization>({
    stored: organization,
    read: () => client.organizations.getOrganization(id),
    write: (changes) => client.organizations.patchOrganization(id, changes),
    onSave,
  })
  return (
    <EditForm
      label={t('settings')}
      form={form}
      operation="patch_organization"
      failures={{
        conflict: kitText('problemConflict'),
        taken: t('taken'),
        too_many_former_slugs: t('tooManyFormerSlugs'),
      }}
    >
      <fieldset class="stack" disabled={!can('organizations:manage')}>
        <Panel heading={t('settings')}>
          <OrganizationFields form={form} />
        </Panel>
      </fieldset>
    </EditForm>
  )
}

/** How its members sign in. An administrator lifts a rule that keeps all of them out. */
const SignInRules = ({ organization, onSave }: SettingsFormProps) => {
  const loaded = useLoaded((options) => client.organizations.getOrganizationSignIn(organization.id, options))
  return (
    <ShowLoaded loaded={loaded}>
      {(connections) => (
        <OrganizationSignInRules
          organization={organization}
          connections={connections}
          canManage
          onSave={onSave}
        />
      )}
    </ShowLoaded>
  )
}

interface StateButtonProps extends OrganizationProps {
  readonly onChange: (organization: Organization) => void
}

/** Suspends an active organization after a question, or makes a suspended one active again. */
const StateButton = ({ organization: { id, name, state }, onChange }: StateButtonProps) => {
  const [isAsking, setAsking] = useState(false)
  const isActive = state === 'active'
  return (
    <>
      <Button look="secondary" onClick={() => setAsking(true)}>
        {t(isActive ? 'suspend' : 'reactivate')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          heading={consoleText('labeled', { label: t(isActive ? 'suspend' : 'reactivate'), name })}
          action={t(isActive ? 'suspend' : 'reactivate')}
          look={isActive ? 'danger' : 'primary'}
          onConfirm={async () => {
            const changed = { state: isActive ? 'suspended' : 'active' } as const
            onChange(await client.organizations.patchOrganization(id, changed))
            showToast(t(isActive ? 'suspendDone' : 'reactivateDone', { name }))
            return undefined
          }}
          onClose={() => setAsking(false)}
        >
          <p>{t(isActive ? 'suspendText' : 'reactivateText')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Keeps an organization that its owner ends, after a question. */
const KeepButton = ({ organization, onChange }: StateButtonProps) => {
  const { id, name } = organization
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button look="secondary" onClick={() => setAsking(true)}>
        {t('keep')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          heading={consoleText('labeled', { label: t('keep'), name })}
          action={t('keep')}
          look="primary"
          onConfirm={async () => {
            await client.organizations.withdrawOrganizationEnding(id)
            onChange({ ...organization, ends_at: null })
            showToast(t('kept', { name }))
            return undefined
          }}
          onClose={() => setAsking(false)}
        >
          <p>{t('keepText')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

interface MembersProps extends OrganizationProps {
  readonly onChange: () => void
}

const Members = ({ organization, onChange }: MembersProps) => {
  const roles = useDeclaredRoles()
  const { can } = useCurrentUser()
  const [isAdding, setAdding] = useState(false)
  const [version, setVersion] = useState(0)
  const canManage = can('organizations:manage')
  return (
    <ShowLoaded loaded={roles}>
      {(declaredRoles) => (
        <section class="panel" aria-label={organizationText('members')}>
          <OrganizationMembers
            organization={organization}
            declaredRoles={declaredRoles}
            canManage={canManage}
            note={t('lastOwnerNote')}
            version={version}
            {...(can('users:view') && { linkTo: (id) => toAddress('users', [id]) })}
            action={
              // Without the permission to see users, the service finds none to add.
              canManage &&
              can('users:view') && <Button onClick={() => setAdding(true)}>{t('addMember')}</Button>
            }
            onChange={onChange}
          />
          {isAdding && (
            <AddMember
              organization={organization}
              declaredRoles={declaredRoles}
              onAdd={() => {
                setAdding(false)
                setVersion(version + 1)
                onChange()
              }}
              onClose={() => setAdding(false)}
            />
          )}
        </section>
      )}
    </ShowLoaded>
  )
}

const Invitations = ({ organization }: OrganizationProps) => {
  const roles = useDeclaredRoles()
  const { can } = useCurrentUser()
  return (
    <ShowLoaded loaded={roles}>
      {(declaredRoles) => (
        <section class="panel" aria-label={organizationText('invitations')}>
          <OrganizationInvitations
            organization={organization}
            declaredRoles={declaredRoles}
            canManage={can('organizations:manage')}
          />
          {can('system:admin-access') && (
            <p>
              <a href={toAddress('branding', ['emails', `organization:${organization.id}`])}>
                {brandingText('emails')}
              </a>
            </p>
          )}
        </section>
      )}
    </ShowLoaded>
  )
}

const Tokens = ({ organization }: OrganizationProps) => {
  const roles = useDeclaredRoles()
  const { can } = useCurrentUser()
  return (
    <ShowLoaded loaded={roles}>
      {(declaredRoles) => (
        <section class="panel" aria-label={accessText('apiTokens')}>
          <OrganizationTokens
            organization={organization}
            permissions={listTokenPermissions(declaredRoles)}
            canManage
            {...(can('system:admin-access') && {
              addressOf: ({ id }) => toAddress('organizations', [organization.id, 'api-tokens', id]),
            })}
          />
        </section>
      )}
    </ShowLoaded>
  )
}

interface AddMemberProps extends OrganizationProps {
  readonly declaredRoles: Parameters<typeof RoleChoices>[0]['declaredRoles']
  readonly onAdd: () => void
  readonly onClose: () => void
}

/** Finds a person, and makes them a member with roles. The first member begins as the owner. */
const AddMember = ({ organization, declaredRoles, onAdd, onClose }: AddMemberProps) => {
  const [user, setUser] = useState<FoundUser | undefined>()
  const [roles, setRoles] = useState<readonly string[]>([organization.is_ownerless ? 'owner' : 'member'])
  const [isSubmitted, setSubmitted] = useState(false)
  const add = useConfirmedAction(async () => {
    if (!user) return undefined
    await client.organizations.createOrganizationMember(organization.id, { user: user.id, roles })
    showToast(t('memberAdded', { name: user.display_name }))
    onAdd()
    return undefined
  })
  const isComplete = user !== undefined && roles.length > 0
  return (
    <Dialog
      heading={consoleText('labeled', { label: t('addMember'), name: organization.name })}
      onClose={onClose}
    >
      <p>{t('addMemberText')}</p>
      <UserPicker action={t('choose')} without={user ? [user.id] : []} onPick={setUser} />
      <p role="status">{user ? t('chosen', { name: user.display_name }) : ''}</p>
      <fieldset class="stack" aria-label={t('roles')}>
        <RoleChoices declaredRoles={declaredRoles} chosen={roles} onChoose={setRoles} />
      </fieldset>
      {isSubmitted && !isComplete && (
        <Alert kind="problem">{user ? organizationText('roleMissing') : t('findPersonFirst')}</Alert>
      )}
      <FailureAlert
        failure={add.failure}
        failures={{
          already_member: t('alreadyMember'),
          member_limit_reached: t('limitReached'),
          roles_limited: t('addLimited'),
        }}
      />
      <div class="row">
        <Button
          isRunning={add.isRunning}
          onClick={() => {
            setSubmitted(true)
            if (isComplete) void add.run()
          }}
        >
          {t('addMember')}
        </Button>
        <Button look="secondary" onClick={onClose}>
          {kitText('cancel')}
        </Button>
      </div>
    </Dialog>
  )
}
