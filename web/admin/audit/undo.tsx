import { useState } from 'preact/hooks'
import type { AuditEvent, AuditEventChange } from '../../../lib/client/generated/models.ts'
import { ifUnchangedHeader } from '../../../lib/client/if-unchanged-header.ts'
import type { CallOptions } from '../../../lib/client/options.ts'
import { readOwn } from '../../../lib/kernel/util/object-fields.ts'
import { Alert, Button } from '../../kit/button.tsx'
import { describeFailure } from '../../kit/describe-failure.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useConfirmedAction } from '../../session-kit/use-loaded.ts'
import { useCurrentUser } from '../kit/current-user.ts'
import { showToast } from '../kit/toast.tsx'

const t = messagesOf('audit')

type Fields = Readonly<Record<string, unknown>>

/** How what an event changed is read and changed again. */
interface Changed {
  /** The permission that the operation needs. The service decides again. */
  readonly permission: string
  readonly read: () => Promise<object>
  readonly write: (fields: Fields, options: CallOptions) => Promise<unknown>
  /** Whether a change names all fields. */
  readonly isWhole?: true
}

const settings = (read: () => Promise<object>, write: Changed['write']): Changed => ({
  permission: 'system:admin-access',
  read,
  write,
  isWhole: true,
})

// A body has the fields that were read, with other values of the same types.
const bodyOf = <Body,>(fields: Fields): Body => fields as Body

/** What each event is about. An event without an entry has no opposite. */
const changedBy: Readonly<Record<string, (event: AuditEvent) => Changed | undefined>> = {
  'user.changed': ({ user }) =>
    user === null
      ? undefined
      : {
          permission: 'users:manage',
          read: () => client.users.getUser(user),
          write: (fields, options) => client.users.patchUser(user, bodyOf(fields), options),
        },
  'group.changed': ({ target }) => {
    const id = Number(target?.split(' ')[0])
    return {
      permission: 'users:manage',
      read: () => client.groups.getGroup(id),
      write: (fields, options) => client.groups.patchGroup(id, bodyOf(fields), options),
    }
  },
  'organization.changed': ({ organization: id }) =>
    id === undefined
      ? undefined
      : {
          permission: 'organizations:manage',
          read: () => client.organizations.getOrganization(id),
          write: (fields, options) => client.organizations.patchOrganization(id, bodyOf(fields), options),
        },
  'organization.member_changed': ({ organization: id, user }) =>
    id === undefined || user === null
      ? undefined
      : {
          permission: 'organizations:manage',
          read: async () => {
            const { items } = await client.organizations.listUserOrganizations(user)
            return { roles: items.find((one) => one.id === id)?.roles ?? [] }
          },
          write: (fields, options) =>
            client.organizations.patchOrganizationMember(id, user, bodyOf(fields), options),
        },
  'password_policy.changed': () =>
    settings(
      () => client.passwords.getPasswordPolicy(),
      (fields, options) => client.passwords.updatePasswordPolicy(bodyOf(fields), options),
    ),
  'sign_in_policy.changed': () =>
    settings(
      () => client.passwords.getSignInPolicy(),
      (fields, options) => client.passwords.updateSignInPolicy(bodyOf(fields), options),
    ),
  'sign_up_policy.changed': () =>
    settings(
      () => client.invitations.getSignUpPolicy(),
      (fields, options) => client.invitations.updateSignUpPolicy(bodyOf(fields), options),
    ),
  'agent_policy.changed': () =>
    settings(
      () => client.oidcClients.getAgentPolicy(),
      (fields, options) => client.oidcClients.updateAgentPolicy(bodyOf(fields), options),
    ),
  'organization_policy.changed': () =>
    settings(
      () => client.organizations.getOrganizationPolicy(),
      (fields, options) => client.organizations.updateOrganizationPolicy(bodyOf(fields), options),
    ),
}

const findChanged = (event: AuditEvent): Changed | undefined =>
  event.outcome === 'succeeded' && isComplete(event) ? readOwn(changedBy, event.event)?.(event) : undefined

/** Whether the event has the values of all that changed. Parts of a field cannot be set alone. */
const isComplete = ({ changes = [], changes_omitted: omitted = 0 }: AuditEvent): boolean =>
  changes.length > 0 &&
  omitted === 0 &&
  changes.every(({ field, from, to }) => from !== undefined && to !== undefined && !field.includes('.'))

/**
 * The fields as they were before the event, if they still are as they were after it. Undefined if one of them has changed since.
 */
const revert = (changes: readonly AuditEventChange[], now: Fields): Fields | undefined => {
  const reverted: Record<string, unknown> = {}
  for (const { field, from, to } of changes) {
    const value = Object.hasOwn(reverted, field) ? reverted[field] : readOwn(now, field)
    if (Array.isArray(value)) {
      const has = (entry: unknown) => value.some((one) => String(one) === String(entry))
      if ((to !== null && !has(to)) || (from !== null && has(from))) return undefined
      const rest = value.filter((one) => to === null || String(one) !== String(to))
      reverted[field] = from === null ? rest : [...rest, typeof value[0] === 'number' ? Number(from) : from]
    } else {
      if ((value ?? null) !== to) return undefined
      reverted[field] = from
    }
  }
  return reverted
}

/** Headers have ASCII alone. */
const toAscii = (json: string): string =>
  json.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

interface UndoProps {
  readonly event: AuditEvent
  readonly onDone: () => void
}

/**
 * Does the opposite of an event, with the rights of the person who presses it. If something of it has changed since, nothing changes: the
 * service checks that together with the change.
 */
export const Undo = ({ event, onDone }: UndoProps) => {
  const { can } = useCurrentUser()
  const changed = findChanged(event)
  const [isStale, setStale] = useState(false)
  const undo = useConfirmedAction(async () => {
    if (!changed) return undefined
    const now: Fields = { ...(await changed.read()) }
    const fields = revert(event.changes ?? [], now)
    setStale(!fields)
    if (!fields) return undefined
    const names = Object.keys(changed.isWhole ? now : fields)
    const kept = Object.fromEntries(names.map((name) => [name, now[name]]))
    await changed.write(changed.isWhole ? { ...now, ...fields } : fields, {
      headers: { [ifUnchangedHeader]: toAscii(JSON.stringify(kept)) },
    })
    showToast(t('undone'))
    onDone()
    return undefined
  })
  if (!changed || !can(changed.permission)) return null
  return (
    <>
      <Alert kind="problem">
        {isStale && t('changedSince')}
        {undo.failure && describeFailure(undo.failure, { changed_since: t('changedSince') })}
      </Alert>
      <div class="row">
        <Button look="secondary" isRunning={undo.isRunning} onClick={() => void undo.run()}>
          {t('undo')}
        </Button>
      </div>
    </>
  )
}
