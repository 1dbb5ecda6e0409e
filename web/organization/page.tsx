import '../kit/kit.css'
import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { OwnOrganization } from '../../lib/client/generated/models.ts'
import type { OrganizationSection } from '../../lib/features/pages/addresses.models.ts'
import type { OrganizationPermission } from '../../lib/kernel/contract/organization-permissions.ts'
import { isolate } from '../../lib/kernel/i18n/languages.ts'
import { Alert } from '../kit/button.tsx'
import { formatDate } from '../kit/format.ts'
import { loadChunk } from '../kit/load-chunk.tsx'
import { LoadFailure } from '../kit/load-failure.tsx'
import { t as kitText, messagesOf } from '../kit/messages.ts'
import { startPage } from '../kit/start-page.tsx'
import { pageData } from '../kit/start-path.ts'
import { AnnounceContext } from '../session-kit/announce.ts'
import { type AppLink, AppPage, SignOut, useHashRoute } from '../session-kit/app-page.tsx'
import { client } from '../session-kit/client.ts'
import { mayManage } from '../session-kit/organization-permissions.ts'
import { describeRoles } from '../session-kit/organization-roles.ts'
import { SessionDialogs } from '../session-kit/session-dialogs.tsx'
import { useLoaded } from '../session-kit/use-loaded.ts'
import { OrganizationContext, type OrganizationState } from './organization-state.ts'

const t = messagesOf('organizationPage')
const access = messagesOf('organizationAccess')
const signIn = messagesOf('organizationSignIn')
const events = messagesOf('organizationEvents')
const shared = messagesOf('organization')
const account = messagesOf('account')

/** The page with which an organization manages itself: `#/12/members` is a section of the organization 12. */
const OrganizationPage = () => {
  const route = useHashRoute()
  const [message, setMessage] = useState('')
  // What was done in one section means nothing in the next one.
  useEffect(() => setMessage(''), [route])
  const loaded = useLoaded(async (options) => {
    const [{ roles }, organizations] = await Promise.all([
      client.organizations.getOrganizationRoles(options),
      listOrganizations(options),
    ])
    return { declaredRoles: roles, organizations }
  })
  return (
    <AnnounceContext.Provider value={setMessage}>
      {loaded.value ? (
        <Chosen {...loaded.value} route={route} message={message} reload={loaded.reload} />
      ) : (
        <Frame heading={account('organizations')} step="loading">
          <LoadFailure failure={loaded.failure} onRetry={loaded.reload} />
          {!loaded.failure && <p role="status">{kitText('loading')}</p>}
        </Frame>
      )}
      <SessionDialogs />
    </AnnounceContext.Provider>
  )
}

/** Lists the organizations in which the person manages something, or may do so after another sign-in. */
const listOrganizations = async (options: {
  readonly signal: AbortSignal
}): Promise<readonly OwnOrganization[]> => {
  const all: OwnOrganization[] = []
  for await (const one of client.organizations.iterateOwnOrganizations({ limit: 200 }, options))
    if (mayManage(one.permissions) || one.sign_in_url !== null) all.push(one)
  return all
}

interface ChosenProps {
  readonly declaredRoles: OrganizationState['declaredRoles']
  readonly organizations: readonly OwnOrganization[]
  readonly route: string
  readonly message: string
  readonly reload: () => Promise<void>
}

/** The organization of the address, or the only one. */
const Chosen = ({ declaredRoles, organizations, route, message, reload }: ChosenProps) => {
  const [, id = '', name = ''] = route.split('/')
  const [first] = organizations
  const organization =
    id === '' && organizations.length === 1 ? first : organizations.find((one) => String(one.id) === id)
  if (!organization) return <Picker {...{ declaredRoles, organizations, message }} isUnknown={id !== ''} />
  if (organization.sign_in_url !== null)
    return <SignInNeeded organization={organization} address={organization.sign_in_url} />
  const can = (permission: string) => organization.permissions.includes(permission)
  const shown = sections.filter(({ permission }) => permission === undefined || can(permission))
  const section = shown.find((one) => one.name === name) ?? shown[0]
  if (!section) return null
  const toRoute = (part: string) => `/${organization.id}/${part}`
  const state: OrganizationState = {
    organization,
    declaredRoles,
    can,
    isOwn: !pageData.user?.impersonatedBy,
    reload,
  }
  const { Content } = section
  return (
    <OrganizationContext.Provider value={state}>
      <Frame
        heading={`${section.label()} – ${isolate(organization.name, pageData.language)}`}
        step={toRoute(section.name)}
        links={shown.map((one) => ({ route: toRoute(one.name), label: one.label() }))}
        navigationLabel={organization.name}
        leadsToOthers={organizations.length > 1}
      >
        {organization.state === 'suspended' && <p class="alert warning">{t('suspendedText')}</p>}
        {organization.ends_at !== null && (
          <p class="alert warning">{shared('endsOn', { date: formatDate(organization.ends_at) })}</p>
        )}
        <Alert kind="success">{message}</Alert>
        <Content key={toRoute(section.name)} />
      </Frame>
    </OrganizationContext.Provider>
  )
}

interface SignInNeededProps {
  readonly organization: OwnOrganization
  readonly address: string
}

/** Leads to the sign-in that the organization requires, and back. */
const SignInNeeded = ({ organization, address }: SignInNeededProps) => (
  <Frame heading={isolate(organization.name, pageData.language)} step="sign-in" leadsToOthers>
    <section class="panel" aria-label={access('signInNeeded')}>
      <p>{access('signInNeededText')}</p>
      <p>
        <a class="button primary" href={`${address}&return_to=${encodeURIComponent('/organization')}`}>
          {access('signInNeeded')}
        </a>
      </p>
    </section>
  </Frame>
)

interface PickerProps extends Pick<ChosenProps, 'declaredRoles' | 'organizations' | 'message'> {
  /** Whether the address names an organization that the person does not manage, or that does not exist. */
  readonly isUnknown: boolean
}

/** Asks which organization is meant. */
const Picker = ({ declaredRoles, organizations, message, isUnknown }: PickerProps) => (
  <Frame heading={account('organizations')} step="choose">
    <Alert kind="success">{message}</Alert>
    {isUnknown && <p class="alert warning">{t('unknown')}</p>}
    <section class="panel" aria-label={account('organizations')}>
      <p>{t(organizations.length > 0 ? 'choose' : 'none')}</p>
      {organizations.length > 0 && (
        <ul class="items">
          {organizations.map(({ id, name, roles }) => (
            <li key={id}>
              <div class="item-text">
                <a class="item-name" href={`#/${id}`}>
                  <bdi>{name}</bdi>
                </a>
                <span class="note">{shared('roles', { list: describeRoles(declaredRoles, roles) })}</span>
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  </Frame>
)

interface FrameProps {
  readonly heading: string
  readonly step: string
  readonly links?: readonly AppLink[]
  readonly navigationLabel?: string
  readonly leadsToOthers?: boolean
  readonly children: ComponentChildren
}

const Frame = (props: FrameProps) => {
  const { heading, step, links = [], navigationLabel = heading, leadsToOthers = false, children } = props
  return (
    <AppPage
      heading={heading}
      step={step}
      navigationLabel={navigationLabel}
      links={links}
      currentRoute={step}
      actions={
        <>
          {leadsToOthers && <a href="#/">{t('others')}</a>}
          <a href="/account">{account('heading')}</a>
          <SignOut {...(pageData.user && { name: pageData.user.displayName })} />
        </>
      }
    >
      {children}
    </AppPage>
  )
}

interface Section {
  readonly name: OrganizationSection
  readonly label: () => string
  /** What a role must allow. Undefined for what every role that manages something may see. */
  readonly permission?: OrganizationPermission
  readonly Content: ComponentType
}

const MemberSection = loadChunk(async () => (await import('./member-section.tsx')).MemberSection)
const InvitationSection = loadChunk(async () => (await import('./invitation-section.tsx')).InvitationSection)
const TokenSection = loadChunk(async () => (await import('./token-section.tsx')).TokenSection)
const LinkSection = loadChunk(async () => (await import('./link-section.tsx')).LinkSection)
const SignInSection = loadChunk(async () => (await import('./sign-in-section.tsx')).SignInSection)
const EventSection = loadChunk(async () => (await import('./event-section.tsx')).EventSection)
const RoleSection = loadChunk(async () => (await import('./role-section.tsx')).RoleSection)
const SettingsSection = loadChunk(async () => (await import('./settings-section.tsx')).SettingsSection)

/** The first one that the roles of the person allow is shown if the address names none. */
const sections: readonly Section[] = [
  {
    name: 'members',
    label: () => shared('members'),
    permission: 'org:members:view',
    Content: MemberSection,
  },
  {
    name: 'invitations',
    label: () => shared('invitations'),
    permission: 'org:members:manage',
    Content: InvitationSection,
  },
  {
    name: 'api-tokens',
    label: () => access('apiTokens'),
    permission: 'org:keys:manage',
    Content: TokenSection,
  },
  {
    name: 'links',
    label: () => access('links'),
    permission: 'org:links:manage',
    Content: LinkSection,
  },
  {
    name: 'sign-in',
    label: () => signIn('heading'),
    permission: 'org:sign-in:manage',
    Content: SignInSection,
  },
  {
    name: 'events',
    label: () => events('heading'),
    permission: 'org:events:view',
    Content: EventSection,
  },
  { name: 'roles', label: () => t('roles'), Content: RoleSection },
  {
    name: 'settings',
    label: () => t('settings'),
    permission: 'org:settings:manage',
    Content: SettingsSection,
  },
]

await startPage(OrganizationPage)
