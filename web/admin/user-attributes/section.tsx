import type { UserAttributeDefinition, UserAttributes } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import type { ApiFailure } from '../../kit/call-api.ts'
import { Checkbox, readLines, SelectField, TextAreaField, TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { pageData } from '../../kit/start-path.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { EditForm } from '../kit/edit-form.tsx'
import { problemOf } from '../kit/failure-alert.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Panel } from '../kit/panel.tsx'
import { SectionPage } from '../kit/section-page.tsx'
import { useDraft, useSave } from '../kit/use-save.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('userAttributes')

export const Section = () => {
  const loaded = useLoaded((options) => client.users.getUserAttributes(options))
  return (
    <SectionPage heading={consoleText('userAttributes')} intro={t('intro')}>
      <ShowLoaded loaded={loaded}>
        {(definitions) => <DefinitionsForm initial={toValues(definitions)} />}
      </ShowLoaded>
    </SectionPage>
  )
}

/** A definition as its form has it. */
interface DefinitionValues {
  readonly name: string
  readonly type: UserAttributeDefinition['type']
  readonly labels: NonNullable<UserAttributeDefinition['labels']>
  /** One value in each line. */
  readonly values: string
  readonly user_access: NonNullable<UserAttributeDefinition['user_access']>
  readonly claim: string
  readonly is_searchable: boolean
  /** Whether it was not saved yet. The type of others stays as it is. */
  readonly isNew: boolean
}

interface Values {
  readonly attributes: readonly DefinitionValues[]
}

const toValues = ({ attributes }: UserAttributes): Values => ({
  attributes: attributes.map((given) => ({
    name: given.name,
    type: given.type,
    labels: given.labels ?? [],
    values: (given.values ?? []).join('\n'),
    user_access: given.user_access ?? 'none',
    claim: given.claim ?? '',
    is_searchable: given.is_searchable ?? false,
    isNew: false,
  })),
})

const toBody = ({ attributes }: Values): UserAttributes => ({
  attributes: attributes.map(({ isNew: _, values, claim, labels, ...rest }) => ({
    ...rest,
    name: rest.name.trim(),
    labels: labels.filter(({ label }) => label.trim() !== ''),
    values: readLines(values),
    claim: claim.trim() || null,
  })),
})

const emptyDefinition: DefinitionValues = {
  name: '',
  type: 'text',
  labels: [],
  values: '',
  user_access: 'none',
  claim: '',
  is_searchable: false,
  isNew: true,
}

const DefinitionsForm = ({ initial }: { readonly initial: Values }) => {
  const draft = useDraft(initial)
  const { attributes } = draft.value
  const save = useSave({
    draft,
    read: async () => toValues(await client.users.getUserAttributes()),
    write: async (changes) =>
      toValues(await client.users.updateUserAttributes(toBody({ ...draft.value, ...changes }))),
  })
  const replace = (at: number, changes: Partial<DefinitionValues>): void =>
    draft.set({
      attributes: attributes.map((known, index) => (index === at ? { ...known, ...changes } : known)),
    })
  const addButton = (
    <Button look="secondary" onClick={() => draft.set({ attributes: [...attributes, emptyDefinition] })}>
      {t('add')}
    </Button>
  )
  return (
    <EditForm
      label={consoleText('userAttributes')}
      draft={draft}
      save={save}
      labels={{ attributes: consoleText('userAttributes') }}
    >
      {attributes.map((attribute, at) => (
        <Definition
          key={at}
          at={at}
          value={attribute}
          failure={save.action.failure}
          onChange={(changes) => replace(at, changes)}
          onRemove={() => draft.set({ attributes: attributes.filter((_, index) => index !== at) })}
        />
      ))}
      {attributes.length === 0 ? (
        <div class="empty">
          <p>{t('empty')}</p>
          {addButton}
          <a href="/docs#tag-users">{consoleText('readGuide')}</a>
        </div>
      ) : (
        <div class="row">{addButton}</div>
      )}
    </EditForm>
  )
}

const types = ['text', 'number', 'boolean', 'date', 'texts'] as const
const accesses = ['none', 'read', 'write'] as const

interface DefinitionProps {
  readonly at: number
  readonly value: DefinitionValues
  readonly failure: ApiFailure | undefined
  readonly onChange: (changes: Partial<DefinitionValues>) => void
  readonly onRemove: () => void
}

const Definition = ({ at, value, failure, onChange, onRemove }: DefinitionProps) => {
  const problem = (field: string) => problemOf(failure, `attributes.${at}.${field}`)
  const { name, type, isNew } = value
  return (
    <Panel
      heading={name || t('newAttribute')}
      intro={!isNew && `${t(type)}${value.is_searchable ? ` · ${t('searchable')}` : ''}`}
    >
      {isNew && (
        <TextField
          label={t('name')}
          hint={t('nameHint')}
          problem={problem('name')}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          maxLength={50}
          value={name}
          onChangeValue={(text) => onChange({ name: text })}
        />
      )}
      <LabelField value={value} problem={problem('labels')} onChange={onChange} />
      {isNew && (
        <SelectField
          label={t('type')}
          hint={t('typeHint')}
          problem={problem('type')}
          value={type}
          options={types.map((known) => ({ value: known, label: t(known) }))}
          onChangeValue={(text) => onChange({ type: types.find((known) => known === text) ?? 'text' })}
        />
      )}
      {(type === 'text' || type === 'texts') && (
        <TextAreaField
          label={t('values')}
          hint={t('valuesHint')}
          problem={problem('values')}
          value={value.values}
          onChangeValue={(text) => onChange({ values: text })}
        />
      )}
      <SelectField
        label={t('userAccess')}
        problem={problem('user_access')}
        value={value.user_access}
        options={accesses.map((known) => ({ value: known, label: t(known) }))}
        onChangeValue={(text) =>
          onChange({ user_access: accesses.find((known) => known === text) ?? 'none' })
        }
      />
      <TextField
        label={t('claim')}
        hint={t('claimHint')}
        problem={problem('claim')}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        maxLength={64}
        value={value.claim}
        onChangeValue={(text) => onChange({ claim: text })}
      />
      {isNew && type === 'text' && (
        <Checkbox
          label={t('searchable')}
          hint={t('searchableHint')}
          isChecked={value.is_searchable}
          onChange={(isSearchable) => onChange({ is_searchable: isSearchable })}
        />
      )}
      {problem('is_searchable')}
      <div class="row">
        <Button look="secondary" onClick={onRemove}>
          {t('remove', { name: name || t('newAttribute') })}
        </Button>
        {!isNew && <span class="note">{t('removeHint')}</span>}
      </div>
    </Panel>
  )
}

interface LabelFieldProps extends Pick<DefinitionProps, 'value' | 'onChange'> {
  readonly problem: preact.ComponentChildren
}

/** The label in the language of the console. Those of other languages stay. */
const LabelField = ({ value: { labels }, problem, onChange }: LabelFieldProps) => {
  const { language } = pageData
  const others = labels.filter((label) => label.language !== language)
  return (
    <TextField
      label={t('label')}
      hint={t('labelHint')}
      problem={problem}
      autocomplete="off"
      maxLength={100}
      value={labels.find((label) => label.language === language)?.label ?? ''}
      onChangeValue={(label) =>
        onChange({ labels: label === '' ? others : [...others, { language, label }] })
      }
    />
  )
}
