import type {
  AttributeChange,
  OwnAttribute,
  UserAttributeDefinition,
} from '../../lib/client/generated/models.ts'
import { readLines, SelectField, TextAreaField, TextField } from '../kit/field.tsx'
import { messagesOf } from '../kit/messages.ts'
import { pageData } from '../kit/start-path.ts'
import { useTypedText } from '../kit/typed-text.ts'

const t = messagesOf('session')

type Described = Pick<OwnAttribute, 'name' | 'type' | 'labels' | 'values'>
type Named = Pick<UserAttributeDefinition, 'name' | 'labels'>

/** What pages call an attribute: in their language, or else in English, or else its name. */
export const nameAttribute = ({ name, labels = [] }: Named): string => {
  const find = (wanted: string) => labels.find(({ language }) => language === wanted)?.label
  return find(pageData.language) ?? find('en') ?? name
}

type AttributeValue = AttributeChange['value']

const toFieldText = (value: AttributeValue): string =>
  Array.isArray(value) ? value.join('\n') : String(value ?? '')

/** The value that a text stands for. The service refuses what has another type. */
const readFieldText = (type: OwnAttribute['type'], text: string): AttributeValue => {
  const given = text.trim()
  if (given === '') return null
  if (type === 'number') return Number.isNaN(Number(given)) ? given : Number(given)
  if (type === 'boolean') return given === 'true'
  if (type !== 'texts') return given
  return readLines(given)
}

/** A value for people who may not change it. */
export const showValue = (value: AttributeValue): string => {
  if (typeof value === 'boolean') return t(value ? 'attributeYes' : 'attributeNo')
  return Array.isArray(value) ? value.join(', ') : String(value ?? '–')
}

interface AttributeFieldProps {
  readonly attribute: Described
  readonly value: AttributeValue
  readonly problem?: preact.ComponentChildren
  readonly onChange: (value: AttributeValue) => void
}

/** A field for an attribute. An empty text removes the value. */
export const AttributeField = ({ attribute, value, problem, onChange }: AttributeFieldProps) => {
  const { type, values } = attribute
  const input = useTypedText({
    value,
    format: toFieldText,
    parse: (text) => readFieldText(type, text),
    onChange,
  })
  const frame = { label: nameAttribute(attribute), problem, ...input }
  if (type === 'texts') return <TextAreaField {...frame} hint={t('attributeLines')} />
  const choices = type === 'boolean' ? ['true', 'false'] : values
  if (choices.length === 0)
    return <TextField {...frame} type={type === 'date' ? 'date' : 'text'} autocomplete="off" />
  const describe = (choice: string) => (type === 'boolean' ? showValue(choice === 'true') : choice)
  // A value that the definition does not allow any more stays until someone changes it.
  const kept = input.value === '' || choices.includes(input.value) ? [] : [input.value]
  return (
    <SelectField
      {...frame}
      options={[
        { value: '', label: '–' },
        ...[...kept, ...choices].map((choice) => ({ value: choice, label: describe(choice) })),
      ]}
    />
  )
}
