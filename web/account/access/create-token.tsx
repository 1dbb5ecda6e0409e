import { useRef, useState } from 'preact/hooks'
import type { APIToken } from '../../../lib/client/generated/models.ts'
import type { AccountProfile } from '../../../lib/kernel/contract/page-data.ts'
import { Alert, Button } from '../../kit/button.tsx'
import { describeFailure } from '../../kit/describe-failure.ts'
import { Checkbox, SelectField } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { NewTokenFields, toExpiry } from '../../session-kit/new-token.tsx'
import { useConfirmedAction } from '../../session-kit/use-loaded.ts'
import { useAccount } from '../account-state.ts'

const t = messagesOf('access')

interface CreateTokenProps {
  /** The tokens that exist already, if they are known. */
  readonly knownTokens: readonly APIToken[] | undefined
  readonly onCreate: (value: string) => Promise<void>
  readonly onCancel: () => void
}

/** The form for a new token. It ends after 90 days and may do little, unless the user chooses more. */
export const CreateToken = ({ knownTokens, onCreate, onCancel }: CreateTokenProps) => {
  const { profile, announce } = useAccount()
  const [name, setName] = useState('')
  const [lifetime, setLifetime] = useState('90')
  const [rights, setRights] = useState('some')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [isChecked, setChecked] = useState(false)
  const unanswered = useRef<{ readonly name: string; readonly known: readonly APIToken[] } | undefined>(
    undefined,
  )
  const isNameMissing = name.trim() === ''
  const isRightMissing = rights === 'some' && chosen.length === 0
  const create = useConfirmedAction(async () => {
    announce('')
    setChecked(true)
    if (isNameMissing || isRightMissing) return undefined
    await revokeUnanswered()
    unanswered.current = knownTokens && { name: name.trim(), known: knownTokens }
    const { token } = await client.apiTokens.createApiToken({
      name: name.trim(),
      scopes: rights === 'all' ? null : [...chosen],
      expires: toExpiry(lifetime),
    })
    await onCreate(token)
    return undefined
  })
  /** The answer of a lost request had the value of a token, so no one can use that one. */
  const revokeUnanswered = async (): Promise<void> => {
    if (create.failure?.status !== 0 || !unanswered.current) return
    const { name: lost, known } = unanswered.current
    const { items } = await client.apiTokens.listApiTokens({ ordering: '-id' })
    for (const { id, name: found } of items)
      if (found === lost && !known.some((token) => token.id === id)) await client.apiTokens.deleteApiToken(id)
  }
  const choose = (scope: string, isWanted: boolean) =>
    setChosen(isWanted ? [...chosen, scope] : chosen.filter((other) => other !== scope))
  const { failure } = create
  return (
    <Form isRunning={create.isRunning} onSubmit={create.run} label={t('newToken')}>
      <NewTokenFields
        name={name}
        isNameMissing={isChecked && isNameMissing}
        onChangeName={setName}
        lifetime={lifetime}
        onChangeLifetime={setLifetime}
      />
      <SelectField
        label={t('rights')}
        problem={isChecked && isRightMissing && t('chooseRight')}
        value={rights}
        onChangeValue={setRights}
        options={[
          { value: 'some', label: t('someRights') },
          { value: 'all', label: t('allRights') },
        ]}
      />
      {rights === 'some' && (
        <fieldset class="choices" aria-label={t('rights')}>
          {listScopes(profile).map((scope) => (
            <Checkbox
              key={scope}
              label={describeScope(scope)}
              isChecked={chosen.includes(scope)}
              onChange={(isWanted) => choose(scope, isWanted)}
            />
          ))}
        </fieldset>
      )}
      <Alert kind="problem">
        {failure && describeFailure(failure, { too_many_api_tokens: t('tooManyTokens') })}
      </Alert>
      <div class="row">
        <Button type="submit">{t('create')}</Button>
        <Button look="secondary" onClick={onCancel}>
          {kitText('cancel')}
        </Button>
      </div>
    </Form>
  )
}

/** What everyone can let a token do, by the scope. */
const ownScopes = {
  'profile:view': 'scopeProfileView',
  'profile:manage': 'scopeProfileManage',
  'sessions:view': 'scopeSessionsView',
  'sessions:manage': 'scopeSessionsManage',
  'api-tokens:view': 'scopeTokensView',
  'api-tokens:manage': 'scopeTokensManage',
  'links:view': 'scopeLinksView',
  'links:manage': 'scopeLinksManage',
  'tickets:create': 'scopeTickets',
  'jwts:create': 'scopeJwts',
  'password-tools:use': 'scopePasswords',
} as const

/** What only administrators can let a token do, although it is no permission. */
const adminScopes = {
  'audit-events:view': 'scopeAudit',
  'saml-providers:manage': 'scopeProviders',
  'oidc-clients:view': 'scopeClients',
} as const

const permissionScopes = {
  'system:admin-access': 'scopeAdmin',
  'users:view': 'scopeUsersView',
  'users:manage': 'scopeUsersManage',
  'media:access': 'scopeMedia',
  'client-address:set': 'scopeClientAddress',
} as const

const messages = { ...ownScopes, ...adminScopes, ...permissionScopes }
const isKnown = (scope: string): scope is keyof typeof messages => Object.hasOwn(messages, scope)

/** Names a scope in words. The permissions of products have only their own names. */
export const describeScope = (scope: string): string => (isKnown(scope) ? t(messages[scope]) : scope)

/** Lists what the user can let a token do: a token never gets more rights than they have. */
const listScopes = ({ effective_permissions: permissions }: AccountProfile): readonly string[] => {
  const isAdministrator = permissions.includes('system:admin-access')
  const granted = isAdministrator ? [...Object.keys(permissionScopes), ...permissions] : permissions
  return [
    ...Object.keys(ownScopes),
    ...(isAdministrator ? Object.keys(adminScopes) : []),
    ...new Set(granted),
  ]
}
