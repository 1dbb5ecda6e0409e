import './organization-members.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type {
  DirectoryRoles,
  OrganizationMember,
  OrganizationRole,
} from '../../lib/client/generated/models.ts'
import { Alert, Button } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { FormDialog, useClosing } from '../kit/dialog.tsx'
import { Checkbox, SelectField, TextField } from '../kit/field.tsx'
import { formatDate } from '../kit/format.ts'
import { t as kitText, messagesOf } from '../kit/messages.ts'
import { useAnnounce } from './announce.ts'
import { client } from './client.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { PagedItems } from './items.tsx'
import { describeRoles, listRoles } from './organization-roles.ts'
import { useList } from './use-list.ts'
import { useConfirmedAction } from './use-loaded.ts'

const access = messagesOf('access')
const t = messagesOf('organization')

type Member = OrganizationMember

/** An organization, with the roles of the person in it unless the console shows it. */
export interface ManagedOrganization {
  readonly id: number
  readonly name: string
  readonly roles?: readonly string[]
}

interface OrganizationMembersProps {
  readonly organization: ManagedOrganization
  readonly declaredRoles: readonly OrganizationRole[]
  /** Whether the person may change roles and remove members. The service decides again about each call. */
  readonly canManage: boolean
  /** What to say to someone whose changes the organization does not limit. */
  readonly note?: string
  /** Leads to a member. By default, they are only named. */
  readonly linkTo?: (userId: number) => string
  /** A button next to the search. */
  readonly action?: ComponentChildren
  /** Changes when members changed elsewhere. */
  readonly version?: number
  readonly onChange?: () => void
}

const typingMs = 300

/** The members of an organization with their roles, for the console and for its own members. */
export const OrganizationMembers = (props: OrganizationMembersProps) => {
  const { organization, declaredRoles, action, version = 0, onChange } = props
  const [text, setText] = useState('')
  const [role, setRole] = useState('')
  const filter = useSettled(text.trim())
  const list = useList(
    (page, options) =>
      client.organizations.listOrganizationMembers(
        organization.id,
        { ...page, ...(filter && { filter }), ...(role && { role }) },
        options,
      ),
    `${organization.id} ${filter} ${role} ${version}`,
  )
  const change = (): void => {
    list.reload()
    onChange?.()
  }
  return (
    <>
      <div class="member-filters">
        <TextField
          label={t('findMember')}
          type="search"
          autocomplete="off"
          spellcheck={false}
          maxLength={255}
          value={text}
          onChangeValue={setText}
        />
        <SelectField
          label={t('role')}
          value={role}
          options={[
            { value: '', label: t('allRoles') },
            ...listRoles(declaredRoles).map(({ key, name }) => ({ value: key, label: name })),
          ]}
          onChangeValue={setRole}
        />
        {action}
      </div>
      <PagedItems list={list} label={t('members')} empty={t(filter || role ? 'noneFound' : 'noMembers')}>
        {(member) => <MemberItem key={member.user.id} {...props} member={member} onChange={change} />}
      </PagedItems>
    </>
  )
}

/** Returns a text once the person stops typing. */
const useSettled = (text: string): string => {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), typingMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

interface MemberProps extends Omit<OrganizationMembersProps, 'onChange'> {
  readonly member: Member
  readonly onChange: () => void
}

const MemberItem = (props: MemberProps) => {
  const { member, declaredRoles, canManage, linkTo } = props
  const [open, setOpen] = useState<'roles' | 'removal' | undefined>()
  const { id, display_name: name, email, username } = member.user
  const close = () => setOpen(undefined)
  return (
    <li>
      <div class="item-text">
        <div class="item-name">
          <bdi>{linkTo ? <a href={linkTo(id)}>{name}</a> : name}</bdi>
        </div>
        <div>{describeRoles(declaredRoles, member.roles)}</div>
        {member.roles_limited && <div>{t('rolesLimited')}</div>}
        <div class="note">
          <bdi>{email ?? username}</bdi> · {t('since', { date: formatDate(member.joined_at) })}
        </div>
      </div>
      {canManage && (
        <div class="row">
          <Button look="secondary" onClick={() => setOpen('roles')}>
            {t('changeRoles')}
            <span class="for-screen-readers"> {name}</span>
          </Button>
          <Button look="secondary" onClick={() => setOpen('removal')}>
            {t('remove')}
            <span class="for-screen-readers"> {name}</span>
          </Button>
        </div>
      )}
      {open === 'roles' && <RolesDialog {...props} onClose={close} />}
      {open === 'removal' && <RemovalDialog {...props} onClose={close} />}
    </li>
  )
}

/** Explains why the roles of a member stay as they are. */
const listFailures = () => ({
  last_owner: t('lastOwner'),
  permission_denied: t('notAllowed'),
  roles_limited: t('rolesLimited'),
  managed_by_directory: access('keptElsewhere'),
})

interface MemberDialogProps extends MemberProps {
  readonly onClose: () => void
}

const RolesDialog = ({
  organization,
  member: { user, roles, directory_roles: kept },
  declaredRoles,
  note,
  onChange,
  onClose,
}: MemberDialogProps) => {
  const [chosen, setChosen] = useState(roles)
  const [isSubmitted, setSubmitted] = useState(false)
  const announce = useAnnounce()
  const close = useClosing(onClose)
  const name = user.display_name
  // A role that no longer exists cannot be given again.
  const known = listRoles(declaredRoles).map(({ key }) => key)
  const wanted = chosen.filter((key) => known.includes(key))
  const save = useConfirmedAction(async () => {
    await client.organizations.patchOrganizationMember(organization.id, user.id, { roles: wanted })
    onChange()
    close()
    announce(t('rolesSaved', { name }))
    return undefined
  })
  return (
    <FormDialog
      heading={t('rolesOf', { name })}
      action={kitText('save')}
      isRunning={save.isRunning}
      onSubmit={() => {
        setSubmitted(true)
        if (wanted.length > 0) void save.run()
      }}
      onClose={onClose}
    >
      <RoleChoices
        by={organization}
        declaredRoles={declaredRoles}
        chosen={wanted}
        kept={kept}
        onChoose={setChosen}
      />
      {note && roles.includes('owner') && !wanted.includes('owner') && <p class="note">{note}</p>}
      <Alert kind="problem">
        {save.failure
          ? describeFailure(save.failure, listFailures())
          : isSubmitted && wanted.length === 0 && t('roleMissing')}
      </Alert>
    </FormDialog>
  )
}

interface RoleChoicesProps {
  /** Where the person gives the roles. Only owners and the console make owners, and only the console gives roles of the service. */
  readonly by?: Pick<ManagedOrganization, 'roles'>
  readonly declaredRoles: readonly OrganizationRole[]
  readonly chosen: readonly string[]
  /** What the directory of a connection keeps. */
  readonly kept?: DirectoryRoles | undefined
  readonly onChoose: (keys: readonly string[]) => void
}

/** The roles that a member can have, as checkboxes. */
export const RoleChoices = ({ by, declaredRoles, chosen, kept, onChoose }: RoleChoicesProps) => (
  <>
    {listRoles(declaredRoles).map(({ key, name, hint, isOfService = false }) => (
      <Checkbox
        key={key}
        label={name}
        hint={kept?.roles.includes(key) ? access('keptBy', { name: kept.name }) : hint}
        isChecked={chosen.includes(key)}
        isDisabled={
          kept?.roles.includes(key) ||
          (by?.roles !== undefined && (isOfService || (key === 'owner' && !by.roles.includes('owner'))))
        }
        onChange={(isChecked) =>
          onChoose(isChecked ? [...chosen, key] : chosen.filter((other) => other !== key))
        }
      />
    ))}
  </>
)

const RemovalDialog = ({
  organization,
  member: { user, roles, returns_by_sign_in: returns },
  note,
  onChange,
  onClose,
}: MemberDialogProps) => {
  const announce = useAnnounce()
  const close = useClosing(onClose)
  const [isKeptOut, setKeptOut] = useState(false)
  const name = user.display_name
  const remove = useConfirmedAction(async () => {
    await client.organizations.removeOrganizationMember(
      organization.id,
      user.id,
      isKeptOut ? { keep_out: true } : undefined,
    )
    onChange()
    close()
    announce(t('removed', { name }))
    return undefined
  })
  return (
    <ConfirmDialog
      heading={t('removeHeading', { name, organization: organization.name })}
      confirmLabel={t('remove')}
      action={remove}
      messages={listFailures()}
      onClose={onClose}
    >
      <p>{t('removeText')}</p>
      {returns && (
        <Checkbox label={t('keepOut')} hint={t('keepOutHint')} isChecked={isKeptOut} onChange={setKeptOut} />
      )}
      {note && roles.includes('owner') && <p class="note">{note}</p>}
    </ConfirmDialog>
  )
}
