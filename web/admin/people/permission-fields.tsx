import { useState } from 'preact/hooks'
import { Button } from '../../kit/button.tsx'
import { Checkbox, TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { type BodyForm, choose, FieldPanel, listIn, type OptionalNamesOf } from '../kit/body-fields.tsx'
import { useCurrentUser } from '../kit/current-user.ts'
import { describePermissions, usePermissionChoices } from './permissions.ts'

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
  const known = usePermissionChoices()
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
