import { useState } from 'preact/hooks'
import { Button } from '../../kit/button.tsx'
import { Checkbox, TextField } from '../../kit/field.tsx'
import { formatList } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { isSame } from '../../kit/typed-text.ts'
import {
  type BodyForm,
  choose,
  chooseAll,
  FieldPanel,
  listIn,
  type OptionalNamesOf,
} from '../kit/body-fields.tsx'
import { useCurrentUser } from '../kit/current-user.ts'
import { changePermissions, describePermissions, listPresets, usePermissionChoices } from './permissions.ts'

const t = messagesOf('people')

interface PermissionFieldsProps<Body extends object> {
  readonly heading?: string
  readonly form: BodyForm<Body>
  readonly name: OptionalNamesOf<Body, readonly string[]>
  /** The permissions that groups give in addition. */
  readonly fromGroups?: readonly string[]
  /** Whether people get the permissions. Otherwise the entry only names some. */
  readonly isGiven?: boolean
}

/** Permissions as choices with their meaning, and those of products by their names. */
export const PermissionFields = <Body extends object>({
  heading = t('permissions'),
  form,
  name: field,
  fromGroups = [],
  isGiven = true,
}: PermissionFieldsProps<Body>) => {
  const value = listIn<string>(form.value, field)
  const { can } = useCurrentUser()
  const known = usePermissionChoices()
  const set = (permissions: readonly string[]): void => chooseAll(form, field, permissions)
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
      {isGiven && <Presets given={value} onChange={set} />}
      {choices.map(({ name, label, hint }) => (
        <Checkbox
          key={name}
          label={label}
          hint={can(name) ? hint : t('notYours')}
          isChecked={value.includes(name)}
          isDisabled={!can(name)}
          onChange={(isChosen) =>
            isGiven ? set(changePermissions(value, name, isChosen)) : choose(form, field, name, isChosen)
          }
        />
      ))}
      {isGiven && <VisibleSections given={[...value, ...fromGroups]} />}
      <OtherPermission
        onAdd={(name) => {
          setOthers((names) => [...new Set([...names, name])])
          choose(form, field, name, true)
        }}
      />
    </FieldPanel>
  )
}

interface PresetsProps {
  readonly given: readonly string[]
  readonly onChange: (permissions: readonly string[]) => void
}

/** What people mostly give together. Each preset can be taken back by pressing it again. */
const Presets = ({ given, onChange }: PresetsProps) => {
  const { can } = useCurrentUser()
  const presets = listPresets().filter(({ area }) => area.every(can))
  if (presets.length === 0) return null
  return (
    <fieldset class="chips">
      <legend class="for-screen-readers">{t('presets')}</legend>
      {presets.map(({ name, label, permissions, area }) => {
        const others = given.filter((permission) => !area.includes(permission))
        const isChosen = isSame(
          area.filter((permission) => given.includes(permission)),
          permissions,
        )
        return (
          <button
            key={name}
            type="button"
            class="chip"
            aria-pressed={isChosen}
            onClick={() => onChange(isChosen ? others : [...others, ...permissions])}
          >
            {label}
          </button>
        )
      })}
    </fieldset>
  )
}

/** Says what people with these permissions find in the console. */
const VisibleSections = ({ given }: { readonly given: readonly string[] }) => {
  const names = useCurrentUser().nameSections(given)
  return (
    <p class="note" role="status">
      {names.length > 0 ? t('visibleSections', { sections: formatList(names) }) : t('noVisibleSections')}
    </p>
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
