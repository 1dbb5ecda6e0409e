import { useState } from 'preact/hooks'
import type { ProtectedAPI } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { Checkbox, TextField } from '../../kit/field.tsx'
import { formatList } from '../../kit/format.ts'
import { chooseText, messagesOf } from '../../kit/messages.ts'
import { type BodyForm, choose, FieldPanel, listIn, type OptionalNamesOf } from '../kit/body-fields.tsx'
import { useCurrentUser, useProtectedApis } from '../kit/current-user.ts'

const t = messagesOf('people')

interface PermissionFieldsProps<Body extends object> {
  readonly heading?: string
  readonly form: BodyForm<Body>
  readonly name: OptionalNamesOf<Body, readonly string[]>
  /** The permissions that groups give in addition. */
  readonly fromGroups?: readonly string[]
}

/** Permissions as choices with their meaning, and those of products by their names. */
export const PermissionFields = <Body extends object>({
  heading = t('permissions'),
  form,
  name: field,
  fromGroups = [],
}: PermissionFieldsProps<Body>) => {
  const value = listIn<string>(form.value, field)
  const { can } = useCurrentUser()
  const apis = useProtectedApis().value ?? []
  const known = [...describeKnownPermissions(), ...describeApiPermissions(apis)]
  // A permission that was taken away stays as a choice until the form is left.
  const [others, setOthers] = useState(() =>
    value.filter((permission) => !known.some(({ name }) => name === permission)),
  )
  const choices = [
    ...known,
    ...others
      .filter((name) => !known.some((choice) => choice.name === name))
      .map((name) => ({ name, label: name, hint: undefined })),
  ]
  return (
    <FieldPanel
      form={form}
      name={field}
      heading={heading}
      intro={fromGroups.length > 0 && t('fromGroups', { permissions: describePermissions(fromGroups) })}
    >
      {choices.map(({ name, label, hint }) => (
        <Checkbox
          key={name}
          label={label}
          hint={can(name) ? hint : t('notYours')}
          isChecked={value.includes(name)}
          isDisabled={!can(name)}
          onChange={(isGiven) => choose(form, field, name, isGiven)}
        />
      ))}
      <OtherPermission
        onAdd={(name) => {
          setOthers((names) => [...new Set([...names, name])])
          choose(form, field, name, true)
        }}
      />
    </FieldPanel>
  )
}

const OtherPermission = ({ onAdd }: { readonly onAdd: (name: string) => void }) => {
  const [name, setName] = useState('')
  const [isWrong, setWrong] = useState(false)
  const add = (): void => {
    const isName = /^[a-z][a-z0-9-]*(:[a-z][a-z0-9-]*){1,2}$/.test(name.trim())
    setWrong(!isName)
    if (!isName) return
    onAdd(name.trim())
    setName('')
  }
  return (
    <div class="with-action">
      <TextField
        label={t('otherPermission')}
        hint={t('otherPermissionHint')}
        problem={isWrong && t('otherPermissionProblem')}
        value={name}
        onChangeValue={setName}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
      />
      <Button look="secondary" onClick={add}>
        {t('add')}
        <span class="for-screen-readers"> {t('otherPermission')}</span>
      </Button>
    </div>
  )
}

/** The permissions of this service, with the texts that explain them. */
const describeKnownPermissions = (): readonly {
  readonly name: string
  readonly label: string
  readonly hint: string
}[] => [
  { name: 'system:admin-access', label: t('admin'), hint: t('adminHint') },
  { name: 'users:view', label: t('viewUsers'), hint: t('viewUsersHint') },
  { name: 'users:manage', label: t('manageUsers'), hint: t('manageUsersHint') },
  { name: 'media:access', label: t('createLinks'), hint: t('createLinksHint') },
  { name: 'client-address:set', label: t('setAddress'), hint: t('setAddressHint') },
]

/** The permissions that registered APIs check. Two APIs may share one. */
const describeApiPermissions = (
  apis: readonly ProtectedAPI[],
): ReturnType<typeof describeKnownPermissions> => {
  const own = describeKnownPermissions().map(({ name }) => name)
  const all = apis.flatMap((api) =>
    api.permissions.map(({ name, texts }) => ({
      name,
      label: chooseText(texts),
      hint: `${api.name}: ${name}`,
    })),
  )
  return [...new Map(all.map((choice) => [choice.name, choice])).values()].filter(
    ({ name }) => !own.includes(name),
  )
}

/** Lists permissions in plain words. Those of products keep their names. */
export const describePermissions = (permissions: readonly string[]): string => {
  const labels = new Map(describeKnownPermissions().map(({ name, label }) => [name, label]))
  return formatList(permissions.map((permission) => labels.get(permission) ?? permission))
}
