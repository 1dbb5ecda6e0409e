import type { UserTemplate, UserTemplateUpdate } from '../../../lib/client/generated/models.ts'
import { consoleLanguages } from '../../../lib/kernel/i18n/languages.ts'
import type { ApiFailure } from '../../kit/call-api.ts'
import { Checkbox, TextField } from '../../kit/field.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { problemOf } from '../kit/failure-alert.tsx'
import { Panel } from '../kit/panel.tsx'
import type { Draft } from '../kit/use-save.tsx'
import { GroupFields } from '../people/group-fields.tsx'
import { LanguageField } from '../people/language-field.tsx'
import { PermissionFields } from '../people/permission-fields.tsx'

const people = messagesOf('people')
const t = messagesOf('userTemplates')

/** What is edited of a template. An empty language stands for none. */
export interface TemplateValues {
  readonly name: string
  readonly language: string
  readonly default_page: string
  readonly is_external: boolean
  readonly groups: readonly number[]
  readonly permissions: readonly string[]
}

export const toTemplateValues = (template: UserTemplate): TemplateValues => ({
  name: template.name,
  language: template.language ?? '',
  default_page: template.default_page,
  is_external: template.is_external,
  groups: [...template.groups].sort((a, b) => a - b),
  permissions: [...template.permissions].sort(),
})

/** The request body of these changes. */
export const toTemplateChanges = ({
  language,
  ...changes
}: Partial<TemplateValues>): Partial<UserTemplateUpdate> => ({
  ...changes,
  ...(language === undefined ? {} : { language: (language as UserTemplate['language']) || null }),
})

interface TemplateFieldsProps {
  readonly draft: Pick<Draft<TemplateValues>, 'value' | 'set'>
  readonly isNameMissing: boolean
  readonly failure: ApiFailure | undefined
}

export const TemplateFields = ({ draft, isNameMissing, failure }: TemplateFieldsProps) => {
  const { value, set } = draft
  return (
    <>
      <Panel heading={t('template')}>
        <TextField
          label={people('name')}
          problem={isNameMissing ? kitText('required') : problemOf(failure, 'name')}
          value={value.name}
          onChangeValue={(name) => set({ name })}
          autocomplete="off"
          required
        />
        <LanguageField
          languages={consoleLanguages}
          value={value.language}
          onChangeValue={(language) => set({ language })}
        />
        <TextField
          label={people('startPage')}
          problem={problemOf(failure, 'default_page')}
          value={value.default_page}
          onChangeValue={(page) => set({ default_page: page })}
          autocomplete="off"
          spellcheck={false}
        />
        <Checkbox
          label={people('external')}
          isChecked={value.is_external}
          onChange={(isExternal) => set({ is_external: isExternal })}
        />
      </Panel>
      <GroupFields value={value.groups} onChange={(groups) => set({ groups })} />
      <PermissionFields value={value.permissions} onChange={(permissions) => set({ permissions })} />
    </>
  )
}
