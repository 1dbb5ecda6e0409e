import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { SelectField } from '../kit/field.tsx'
import { messagesOf } from '../kit/messages.ts'
import { CopyButton } from './copy-button.tsx'
import './provider-guide.css'
import { type GuideField, providerGuides, type ServiceValue } from './provider-guides.ts'

const t = messagesOf('providerGuides')

interface ProviderGuideProps {
  /** The values of the connection. A field of one that is missing is left out. */
  readonly values: Readonly<Partial<Record<ServiceValue, string>>>
  /** What people see whose identity provider is another one. */
  readonly children?: ComponentChildren
}

/** Shows the form of an identity provider with what to paste where. */
export const ProviderGuide = ({ values, children }: ProviderGuideProps) => {
  const [chosen, setChosen] = useState('')
  const guide = providerGuides.find(({ name }) => name === chosen)
  return (
    <>
      <SelectField
        label={t('choose')}
        value={chosen}
        options={[
          { value: '', label: t('other') },
          ...providerGuides.map(({ name }) => ({ value: name, label: name })),
        ]}
        onChangeValue={setChosen}
      />
      {guide && (
        <figure class="guide" dir="ltr" lang="en">
          <figcaption>
            <strong>{guide.name}</strong>
            <span>{guide.form}</span>
          </figcaption>
          <dl>
            {guide.fields.map((field) => (
              <Field key={field.field} field={field} values={values} />
            ))}
          </dl>
        </figure>
      )}
      {guide ? <p class="note">{t('metadata', { place: guide.metadata })}</p> : children}
    </>
  )
}

const Field = ({ field: { field, enter }, values }: ProviderGuideProps & { readonly field: GuideField }) => {
  const entered = 'text' in enter ? enter.text : values[enter.value]
  if (!entered) return null
  return (
    <div>
      <dt>{field}</dt>
      <dd class="copied">
        <code>{entered}</code>
        <CopyButton text={entered} label={field} />
      </dd>
    </div>
  )
}
