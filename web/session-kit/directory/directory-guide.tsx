import '../provider-guide.css'
import { useState } from 'preact/hooks'
import { SelectField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { CopyButton } from '../copy-button.tsx'
import { type DirectoryGuide, directoryGuides } from './directory-guides.ts'

const t = messagesOf('directory')

/** Shows the form of a directory with what to paste where. */
export const DirectoryGuidePanel = ({ baseUrl }: { readonly baseUrl: string }) => {
  const [chosen, setChosen] = useState('')
  const guide = directoryGuides.find(({ name }) => name === chosen)
  return (
    <section class="stack" aria-label={t('steps')}>
      <h3>{t('steps')}</h3>
      <SelectField
        label={t('directory')}
        name="scim-directory"
        value={chosen}
        options={[
          { value: '', label: t('otherDirectory') },
          ...directoryGuides.map(({ name }) => ({ value: name, label: name })),
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
              <Field key={field.field} {...field} baseUrl={baseUrl} />
            ))}
          </dl>
        </figure>
      )}
      {!guide && <p class="note">{t('otherSteps')}</p>}
      <p class="note">{t('noneForGoogle')}</p>
    </section>
  )
}

type FieldProps = DirectoryGuide['fields'][number] & { readonly baseUrl: string }

const Field = ({ field, enter, baseUrl }: FieldProps) => {
  const text = enter === 'baseUrl' ? baseUrl : enter === 'token' ? undefined : enter.text
  return (
    <div>
      <dt>{field}</dt>
      <dd class="copied">
        {text === undefined ? (
          <em>{t('tokenHere')}</em>
        ) : (
          <>
            <code>{text}</code>
            <CopyButton text={text} label={field} />
          </>
        )}
      </dd>
    </div>
  )
}
