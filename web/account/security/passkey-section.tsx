import { useEffect, useState } from 'preact/hooks'
import type { Passkey, PasskeySettings } from '../../../lib/client/generated/models.ts'
import { Alert, Button } from '../../kit/button.tsx'
import { describeFailure } from '../../kit/describe-failure.ts'
import { Checkbox, TextField } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { formatDate } from '../../kit/format.ts'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { addPasskey, supportsPasskeys } from '../../kit/passkeys.ts'
import { client } from '../../session-kit/client.ts'
import { ConfirmDialog, RenameDialog } from '../../session-kit/confirm-dialog.tsx'
import { updateConfirmationWays } from '../../session-kit/confirm-identity.tsx'
import { Item, type ItemDialogProps, ItemList, useItemChange } from '../../session-kit/items.tsx'
import { useConfirmedAction, useLoaded } from '../../session-kit/use-loaded.ts'
import { isSetupSession, signInWithNewPasskey, useAccount } from '../account-state.ts'
import { tellPasswordManagers } from '../tell-password-managers.ts'

const accountText = messagesOf('account')
const t = messagesOf('security')

/** The passkeys of the user, and whether their password requires one. */
export const PasskeySection = () => {
  const { profile } = useAccount()
  const passkeys = useLoaded(
    async () => (await client.passkeys.listOwnPasskeys({ ordering: 'created_at' })).items,
  )
  const { value: content, reload } = passkeys
  useEffect(() => {
    if (content) updateConfirmationWays({ hasPasskey: content.length > 0 })
  }, [content])
  // A session that is only for the setup can add a passkey and nothing else.
  const isSetup = isSetupSession(profile)
  useEffect(() => {
    if (content && !isSetup) void tellPasswordManagers(profile)
  }, [content, profile])
  return (
    <>
      <section class="panel" aria-label={t('addPasskey')}>
        <p>{t('passkeyText')}</p>
        {!isSetup && content && isOnOneDevice(content) && (
          <p class="alert information">{t('addSecondPasskey')}</p>
        )}
        <ItemList loaded={passkeys} empty={t('noPasskeys')}>
          {(passkey) => (
            <PasskeyItem key={passkey.id} passkey={passkey} isFixed={isSetup} onChange={reload} />
          )}
        </ItemList>
        <AddPasskey isSetup={isSetup} onAdd={reload} />
      </section>
      {!isSetup && content && content.length > 0 && <PasskeyRequirement />}
    </>
  )
}

/** Whether the loss of one device would leave the user without a passkey. */
const isOnOneDevice = ([first, ...others]: readonly Passkey[]): boolean =>
  first?.is_synced === false && others.length === 0

interface PasskeyItemProps {
  readonly passkey: Passkey
  readonly isFixed: boolean
  readonly onChange: () => Promise<void>
}

const PasskeyItem = ({ passkey, isFixed, onChange }: PasskeyItemProps) => {
  const [open, setOpen] = useState<'rename' | 'remove' | undefined>()
  const dialog = { passkey, onClose: () => setOpen(undefined), onChange }
  const { created_at: created, last_used_at: used, is_synced: isSynced } = passkey
  const facts = [
    t('addedOn', { date: formatDate(created) }),
    used === null ? t('neverUsed') : t('usedOn', { date: formatDate(used) }),
    isSynced ? t('passkeySynced') : t('passkeyOnOneDevice'),
  ]
  const actions = [
    { label: t('rename'), onClick: () => setOpen('rename') },
    { label: t('remove'), onClick: () => setOpen('remove') },
  ]
  return (
    <Item name={passkey.name} note={facts.join(' ')} actions={isFixed ? [] : actions}>
      {open === 'rename' && <RenamePasskey {...dialog} />}
      {open === 'remove' && <RemovePasskey {...dialog} />}
    </Item>
  )
}

/** Whether a sign-in with the password also requires a passkey. The choice is saved at once. */
const PasskeyRequirement = () => {
  const { announce } = useAccount()
  const { value: settings, setValue: setSettings } = useLoaded<PasskeySettings>(() =>
    client.passkeys.getPasskeySettings(),
  )
  const save = useConfirmedAction(async (isRequired: boolean) => {
    announce('')
    const saved = await client.passkeys.updatePasskeySettings({ required_with_password: isRequired })
    setSettings(saved)
    announce(isRequired ? t('passkeyRequired') : t('passkeyOptional'))
    return undefined
  })
  // A refused choice shows the stored one again.
  const [wanted, setWanted] = useState<boolean | undefined>()
  const choose = async (isRequired: boolean) => {
    setWanted(isRequired)
    await save.run(isRequired)
    setWanted(undefined)
  }
  if (!settings) return null
  const { failure } = save
  return (
    <div class="panel">
      <Checkbox
        label={t('requirePasskey')}
        hint={t('requirePasskeyHint')}
        isChecked={wanted ?? settings.required_with_password}
        onChange={choose}
      />
      <Alert kind="problem">
        {failure && describeFailure(failure, { spare_factor_required: t('addSpareFirst') })}
      </Alert>
    </div>
  )
}

interface AddPasskeyProps {
  readonly isSetup: boolean
  readonly onAdd: () => Promise<void>
}

/** Has the browser create a passkey, and stores it. */
const AddPasskey = ({ isSetup, onAdd }: AddPasskeyProps) => {
  const { announce } = useAccount()
  const [name, setName] = useState('')
  const [problem, setProblem] = useState('')
  const [isAdded, setAdded] = useState(false)
  const add = useConfirmedAction(async () => {
    announce('')
    setProblem('')
    const stopped = await addPasskey(name, t('passkeyUnknown'))
    if (typeof stopped === 'string') setProblem(stopped)
    if (stopped !== undefined) return typeof stopped === 'string' ? undefined : stopped
    setName('')
    setAdded(true)
    await onAdd()
    announce(isSetup ? t('passkeyAddedInSetup') : t('passkeyAdded'))
    return undefined
  })
  if (!supportsPasskeys()) return <p>{kitText('passkeysUnsupported')}</p>
  if (isSetup && isAdded)
    return (
      <div class="row">
        <Button onClick={signInWithNewPasskey}>{t('signInAgain')}</Button>
      </div>
    )
  const { failure } = add
  return (
    <Form isRunning={add.isRunning} onSubmit={add.run}>
      <TextField
        label={t('passkeyName')}
        hint={t('passkeyNameHint')}
        name="passkey-name"
        autocomplete="off"
        maxLength={longestPasskeyName}
        value={name}
        onChangeValue={setName}
      />
      <Alert kind="problem">
        {failure ? describeFailure(failure, { too_many_passkeys: t('tooManyPasskeys') }) : problem}
      </Alert>
      <div class="row">
        <Button type="submit">{t('addPasskey')}</Button>
      </div>
    </Form>
  )
}

const longestPasskeyName = 100

interface PasskeyDialogProps extends ItemDialogProps {
  readonly passkey: Passkey
}

const RenamePasskey = ({ passkey, ...dialog }: PasskeyDialogProps) => {
  const rename = useItemChange(dialog, t('passkeyRenamed'), (name: string) =>
    client.passkeys.patchPasskey(passkey.id, { name }),
  )
  return (
    <RenameDialog
      heading={t('renameHeading')}
      label={t('name')}
      name={passkey.name}
      maxLength={longestPasskeyName}
      action={rename}
      onClose={dialog.onClose}
    />
  )
}

const RemovePasskey = ({ passkey, ...dialog }: PasskeyDialogProps) => {
  const remove = useItemChange(dialog, t('passkeyRemoved'), () => client.passkeys.deletePasskey(passkey.id))
  return (
    <ConfirmDialog
      heading={t('removePasskeyHeading', { name: passkey.name })}
      confirmLabel={t('remove')}
      action={remove}
      messages={{ spare_factor_required: t('addSpareFirst'), last_sign_in_method: accountText('lastWay') }}
      onClose={dialog.onClose}
    >
      <p>{t('removePasskeyText')}</p>
    </ConfirmDialog>
  )
}
