import type { ComponentChildren } from 'preact'
import type { ApiFailure } from '../../kit/call-api.ts'
import {
  Checkbox,
  type InputAttributes,
  PasswordField,
  readLines,
  SelectField,
  TextAreaField,
  TextField,
} from '../../kit/field.tsx'
import { t as kitText } from '../../kit/messages.ts'
import { isSame, useTypedText } from '../../kit/typed-text.ts'
import { problemOf } from './failure-alert.tsx'
import { Panel } from './panel.tsx'

/** A form whose values are a request body. Each field reads and sets its entry of the body as the API has it. */
export interface BodyForm<Body extends object> {
  readonly value: Body
  /** What was read, or what the form began with. */
  readonly base: Body
  set(changes: Partial<Body>): void
  readonly failure: ApiFailure | undefined
  /** Whether the person tried to send it. Required fields then say that they are empty. */
  readonly isSubmitted: boolean
  /** The label of each field that was shown, for the question which changes to keep. */
  readonly labels: Map<string, string>
  /** What comes before the names of the fields in errors, such as `scopes.0.`. */
  readonly path: string
}

/** The names of the entries of a kind. */
export type NamesOf<Body, Kind> = {
  [Name in keyof Body]-?: [Kind] extends [Body[Name]]
    ? [Body[Name]] extends [Kind | undefined]
      ? Name
      : never
    : never
}[keyof Body] &
  string
export type OptionalNamesOf<Body, Kind> = NamesOf<Body, Kind> | NamesOf<Body, Kind | null>

export interface FieldOf<Body extends object, Name> {
  readonly form: BodyForm<Body>
  readonly name: Name
  readonly label: string
  readonly hint?: ComponentChildren
  /** What is wrong, if it is not what the service says about this entry. */
  readonly problem?: ComponentChildren
}

const read = (from: object, name: string): unknown => (from as Readonly<Record<string, unknown>>)[name]

/** What the frame of a field shows. */
export const frameOf = <Body extends object>({ form, name, label, hint, problem }: FieldOf<Body, string>) => {
  form.labels.set(name, label)
  return { label, hint, problem: problem ?? problemOf(form.failure, `${form.path}${name}`) }
}

/** The text of the field of an entry. */
export const useBodyText = <Body extends object>(
  { form, name }: Pick<FieldOf<Body, string>, 'form' | 'name'>,
  format: (value: unknown) => string,
  parse: (text: string) => unknown,
) => {
  const base = read(form.base, name)
  return useTypedText({
    format,
    parse,
    value: read(form.value, name),
    onChange: (value, text) =>
      // An omitted entry and an empty one look alike.
      form.set({ [name]: text === format(base) ? base : value } as Partial<Body>),
  })
}

const toText = (value: unknown): string => String(value ?? '')

/** What browsers do with the text while a person types. */
const writings = {
  address: { spellcheck: false },
  code: { autocapitalize: 'none', spellcheck: false },
  email: { type: 'email' },
  url: { type: 'url', inputMode: 'url' },
} as const satisfies Readonly<Record<string, InputAttributes>>

interface TextAttributes extends Pick<InputAttributes, 'maxLength' | 'readOnly' | 'required' | 'inputMode'> {
  readonly writing?: keyof typeof writings
  /** Makes it a field of several lines. */
  readonly rows?: number
  /** Whether spaces around the text belong to it. */
  readonly isExact?: boolean
}

const TypedField = <Body extends object>({
  parse,
  format = toText,
  ...props
}: FieldOf<Body, string> &
  TextAttributes & {
    readonly parse: (text: string) => unknown
    readonly format?: (value: unknown) => string
  }) => {
  const { form, name, label, hint, problem, writing, rows, isExact: _, ...attributes } = props
  const input = useBodyText(props, format, parse)
  const isMissing = attributes.required && form.isSubmitted && input.value.trim() === ''
  const frame = frameOf({ ...props, problem: isMissing ? kitText('required') : problem })
  return rows === undefined ? (
    <TextField autocomplete="off" {...(writing && writings[writing])} {...attributes} {...frame} {...input} />
  ) : (
    <TextAreaField rows={rows} {...frame} {...input} />
  )
}

/** A text that is never null. */
export const BodyText = <Body extends object>(
  props: FieldOf<Body, NamesOf<Body, string>> & TextAttributes,
) => <TypedField<Body> {...props} parse={(text) => (props.isExact ? text : text.trim())} />

/** A text that is null without one. */
export const BodyOptionalText = <Body extends object>(
  props: FieldOf<Body, NamesOf<Body, string | null>> & TextAttributes,
) => <TypedField<Body> {...props} parse={(text) => (props.isExact ? text : text.trim()) || null} />

/** A number, or else `empty`. The service refuses what is no number. */
export const BodyNumber = <Body extends object>({
  empty,
  ...props
}: FieldOf<Body, OptionalNamesOf<Body, number>> & { readonly empty: number | null }) => (
  <TypedField<Body>
    {...props}
    inputMode="numeric"
    parse={(text) => {
      if (text.trim() === '') return empty
      return Number.isNaN(Number(text)) ? text : Number(text)
    }}
  />
)

type Lines = readonly string[] | readonly number[]

/** A list with one entry in each line. */
export const BodyLines = <Body extends object>({
  split = readLines,
  ...props
}: FieldOf<Body, OptionalNamesOf<Body, readonly string[]> | OptionalNamesOf<Body, readonly number[]>> & {
  readonly rows?: number
  readonly split?: (text: string) => Lines
}) => (
  <TypedField<Body>
    rows={3}
    {...props}
    format={(value) => ((value ?? []) as Lines).join('\n')}
    parse={split}
  />
)

/** A list of things that are not texts, with one in each line. */
export const BodyLinesOf = <Body extends object, Entry>({
  format,
  parse,
  ...props
}: FieldOf<Body, OptionalNamesOf<Body, readonly Entry[]>> & {
  readonly format: (value: unknown) => string
  readonly parse: (text: string) => readonly Entry[]
}) => <TypedField<Body> rows={3} {...props} format={format} parse={parse} />

/** A list with all entries in one line, between spaces. */
export const BodyWords = <Body extends object>(
  props: FieldOf<Body, OptionalNamesOf<Body, readonly string[]>> & TextAttributes,
) => (
  <TypedField<Body>
    {...props}
    format={(value) => ((value ?? []) as Lines).join(' ')}
    parse={(text) => text.split(/\s+/).filter(Boolean)}
  />
)

/** Whether something applies. */
export const BodyFlag = <Body extends object>(props: FieldOf<Body, OptionalNamesOf<Body, boolean>>) => {
  const { form, name, label, hint } = props
  form.labels.set(name, label)
  const wasChecked = read(form.base, name)
  return (
    <Checkbox
      label={label}
      hint={hint}
      isChecked={read(form.value, name) === true}
      onChange={(isChecked) =>
        form.set({ [name]: isChecked === (wasChecked === true) ? wasChecked : isChecked } as Partial<Body>)
      }
    />
  )
}

/** A secret, which is never shown. Without an input, the stored one stays. */
export const BodySecret = <Body extends object>(
  props: FieldOf<Body, NamesOf<Body, string>> & Pick<TextAttributes, 'required'>,
) => {
  const { form, name, required = false } = props
  const [secret, stored] = [read(form.value, name), read(form.base, name)]
  const isMissing = required && form.isSubmitted && !secret
  return (
    <PasswordField
      {...frameOf(isMissing ? { ...props, problem: kitText('required') } : props)}
      autocomplete="off"
      maxLength={1023}
      required={required}
      value={secret === stored ? '' : toText(secret)}
      onChangeValue={(text) => form.set({ [name]: text || stored } as Partial<Body>)}
    />
  )
}

interface BodyChoiceProps<Body extends object, Name extends keyof Body & string> extends FieldOf<Body, Name> {
  /** Null is what an omitted entry stands for. */
  readonly options: readonly {
    readonly value: Exclude<Body[Name], undefined>
    readonly label: string
  }[]
}

/** One of several values. */
export const BodyChoice = <Body extends object, Name extends keyof Body & string>({
  options,
  ...props
}: BodyChoiceProps<Body, Name>) => {
  const { form, name } = props
  return (
    <SelectField
      {...frameOf(props)}
      value={toText(form.value[name])}
      options={options.map(({ value, label }) => ({ value: toText(value), label }))}
      onChangeValue={(text) => {
        const { [name]: base } = form.base
        const chosen =
          toText(base) === text ? base : options.find(({ value }) => toText(value) === text)?.value
        form.set({ [name]: chosen } as Partial<Body>)
      }}
    />
  )
}

type Item = string | number

/** A list of a body. An omitted one is empty. */
export const listIn = <Of extends Item>(body: object, name: string): readonly Of[] =>
  (read(body, name) ?? []) as readonly Of[]

/** Adds something to a list of a body, or takes it away. */
export const choose = <Body extends object, Of extends Item>(
  form: BodyForm<Body>,
  name: OptionalNamesOf<Body, readonly Of[]>,
  item: Of,
  isChosen: boolean,
): void => {
  const rest = listIn<Of>(form.value, name).filter((other) => other !== item)
  chooseAll(form, name, isChosen ? [...rest, item] : rest)
}

/** Sets a list of a body. The list is sorted, and the same one in another order is no change. */
export const chooseAll = <Body extends object, Of extends Item>(
  form: BodyForm<Body>,
  name: OptionalNamesOf<Body, readonly Of[]>,
  items: readonly Of[],
): void => {
  const sort = (list: readonly Item[]) => [...list].sort((a, b) => (a < b ? -1 : Number(a > b)))
  const chosen = sort(items)
  const isBase = isSame(chosen, sort(listIn<Item>(form.base, name)))
  form.set({ [name]: isBase ? read(form.base, name) : chosen } as Partial<Body>)
}

interface FieldPanelProps<Body extends object> {
  readonly form: BodyForm<Body>
  readonly name: keyof Body & string
  readonly heading: string
  readonly intro?: ComponentChildren
  readonly children: ComponentChildren
}

/** A panel for one entry, which is its label. */
export const FieldPanel = <Body extends object>({
  form,
  name,
  heading,
  intro,
  children,
}: FieldPanelProps<Body>) => {
  form.labels.set(name, heading)
  return (
    <Panel heading={heading} intro={intro}>
      {children}
    </Panel>
  )
}

/** The form of an object in a body. */
export const inBody = <Body extends object, Name extends keyof Body & string>(
  form: BodyForm<Body>,
  name: Name,
): BodyForm<NonNullable<Body[Name]> & object> => {
  type Part = NonNullable<Body[Name]> & object
  const value = (form.value[name] ?? {}) as Part
  return {
    ...form,
    value,
    base: (form.base[name] ?? {}) as Part,
    set: (changes) => form.set({ [name]: { ...value, ...changes } } as Partial<Body>),
    labels: new Map(),
    path: `${form.path}${name}.`,
  }
}

type RowOf<List> = List extends readonly (infer Item extends object)[] ? Item : never

export interface RowForm<Row extends object> extends BodyForm<Row> {
  /** Removes the row from its list. */
  readonly remove: () => void
}

/** The form of a row in a list of a body. */
export const rowInBody = <Body extends object, Name extends keyof Body & string>(
  form: BodyForm<Body>,
  name: Name,
  at: number,
): RowForm<RowOf<NonNullable<Body[Name]>>> => {
  type Item = RowOf<NonNullable<Body[Name]>>
  const rows = (form.value[name] ?? []) as readonly Item[]
  const change = (to: readonly Item[]): void => form.set({ [name]: to } as Partial<Body>)
  return {
    ...form,
    value: rows[at] as Item,
    base: (((form.base[name] ?? []) as readonly Item[])[at] ?? rows[at]) as Item,
    set: (changes) => change(rows.map((row, index) => (index === at ? { ...row, ...changes } : row))),
    remove: () => change(rows.filter((_, index) => index !== at)),
    labels: new Map(),
    path: `${form.path}${name}.${at}.`,
  }
}
