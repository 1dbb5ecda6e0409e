import { useState } from 'preact/hooks'
import type { OrganizationToken } from '../../lib/client/generated/models.ts'
import { Alert, Button } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { Checkbox } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { formatList } from '../kit/format.ts'
import { t as kitText, messagesOf } from '../kit/messages.ts'
import { useAnnounce } from './announce.ts'
import { client } from './client.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Item, PagedItems, useItemChange } from './items.tsx'
import { describeUse, NewTokenFields, TokenValue, toExpiry } from './new-token.tsx'
import { describeOrganizationPermission } from './organization-permissions.ts'
import { useList } from './use-list.ts'
import { useConfirmedAction } from './use-loaded.ts'

const t = messagesOf('organizationAccess')
const access = messagesOf('access')
const shared = messagesOf('organization')

interface OrganizationTokensProps {
  readonly organization: { readonly id: number; readonly name: string }
  /** What the person may let a token do. */
  readonly permissions: readonly string[]
  /** Whether the person may create and delete tokens. The service decides again about each call. */
  readonly canManage: boolean
  /** The page of a token, where there is one. */
  readonly addressOf?: (token: OrganizationToken) => string
}

/** The API tokens of an organization, for the console and for its own members. */
export const OrganizationTokens = (props: OrganizationTokensProps) => {
  const { organization, canManage } = props
  const announce = useAnnounce()
  const [isCreating, setCreating] = useState(false)
  const [value, setValue] = useState('')
  const list = useList(
    (page, options) => client.organizations.listOrganizationApiTokens(organization.id, page, options),
    String(organization.id),
  )
  const showValue = (token: string) => {
    setCreating(false)
    setValue(token)
    announce(access('tokenCreated'))
    list.reload()
  }
  const forgetValue = () => {
    announce('')
    setValue('')
  }
  return (
    <>
      <p>{t('tokensText')}</p>
      {value && <TokenValue value={value} onStored={forgetValue} />}
      {isCreating && <CreateToken {...props} onCreate={showValue} onCancel={() => setCreating(false)} />}
      {canManage && !isCreating && !value && (
        <div class="row">
          <Button onClick={() => setCreating(true)}>{access('newToken')}</Button>
        </div>
      )}
      <PagedItems list={list} label={t('apiTokens')} empty={t('noTokens')}>
        {(token) => <TokenItem key={token.id} {...props} token={token} onChange={list.reload} />}
      </PagedItems>
    </>
  )
}

interface CreateTokenProps extends OrganizationTokensProps {
  readonly onCreate: (value: string) => void
  readonly onCancel: () => void
}

/** The form for a new token. It ends after 90 days and may do nothing, unless the person chooses more. */
const CreateToken = ({ organization, permissions, onCreate, onCancel }: CreateTokenProps) => {
  const announce = useAnnounce()
  const [name, setName] = useState('')
  const [lifetime, setLifetime] = useState('90')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [isChecked, setChecked] = useState(false)
  const isNameMissing = name.trim() === ''
  const create = useConfirmedAction(async () => {
    announce('')
    setChecked(true)
    if (isNameMissing || chosen.length === 0) return undefined
    const { token } = await client.organizations.createOrganizationApiToken(organization.id, {
      name: name.trim(),
      permissions: chosen,
      expires: toExpiry(lifetime),
    })
    onCreate(token)
    return undefined
  })
  const failures = { conflict: t('tooManyTokens'), permission_denied: shared('notAllowed') }
  return (
    <Form isRunning={create.isRunning} onSubmit={create.run} label={access('newToken')}>
      <NewTokenFields
        name={name}
        isNameMissing={isChecked && isNameMissing}
        onChangeName={setName}
        lifetime={lifetime}
        onChangeLifetime={setLifetime}
      />
      <fieldset class="choices">
        <legend class="label">{access('rights')}</legend>
        {permissions.map((permission) => (
          <Checkbox
            key={permission}
            label={describeOrganizationPermission(permission)}
            isChecked={chosen.includes(permission)}
            onChange={(isWanted) =>
              setChosen(isWanted ? [...chosen, permission] : chosen.filter((other) => other !== permission))
            }
          />
        ))}
      </fieldset>
      <Alert kind="problem">
        {create.failure
          ? describeFailure(create.failure, failures)
          : isChecked && chosen.length === 0 && access('chooseRight')}
      </Alert>
      <div class="row">
        <Button type="submit">{access('create')}</Button>
        <Button look="secondary" onClick={onCancel}>
          {kitText('cancel')}
        </Button>
      </div>
    </Form>
  )
}

interface TokenItemProps extends OrganizationTokensProps {
  readonly token: OrganizationToken
  readonly onChange: () => void
}

const TokenItem = ({ organization, token, canManage, addressOf, onChange }: TokenItemProps) => {
  const [isAsking, setAsking] = useState(false)
  const { id, name, permissions, expires, created_at: created, last_used_at: used } = token
  const dialog = { onClose: () => setAsking(false), onChange }
  const revoke = useItemChange(dialog, access('tokenRevoked'), () =>
    client.organizations.deleteOrganizationApiToken(organization.id, id),
  )
  const facts = [
    ...describeUse({ created, used, expires }),
    ...(token.creator_left ? [t('creatorLeft')] : []),
    access('allowed', { list: formatList(permissions.map(describeOrganizationPermission)) }),
  ]
  return (
    <Item
      name={name}
      address={addressOf?.(token)}
      note={facts.join(' ')}
      actions={canManage ? [{ label: access('revoke'), onClick: () => setAsking(true) }] : []}
    >
      {isAsking && (
        <ConfirmDialog
          heading={access('revokeHeading', { name })}
          confirmLabel={access('revoke')}
          action={revoke}
          onClose={dialog.onClose}
        >
          <p>{access('revokeText')}</p>
        </ConfirmDialog>
      )}
    </Item>
  )
}
