import { useState } from 'preact/hooks'
import type { EmailText, EmailTextKind } from '../../lib/client/generated/models.ts'
import { type Language, languageNames, languages } from '../../lib/kernel/i18n/languages.ts'
import { Alert, Button } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { SelectField, TextAreaField, TextField } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { formatList } from '../kit/format.ts'
import { LoadFailure } from '../kit/load-failure.tsx'
import { t as kitText, messagesOf } from '../kit/messages.ts'
import { pageData } from '../kit/start-path.ts'
import { useAnnounce } from '../session-kit/announce.ts'
import { client } from '../session-kit/client.ts'
import { useConfirmedAction, useLoaded } from '../session-kit/use-loaded.ts'
import { useOrganization } from './organization-state.ts'

const t = messagesOf('organizationPage')

/** The only emails that an organization causes. */
const kind = 'organization_invitation'

/** Own words of the invitations of the organization, in one language at a time. */
export const EmailTextsPanel = () => {
  const { id } = useOrganization().organization
  const [language, setLanguage] = useState<Language>(pageData.language)
  const loaded = useLoaded(
    async (options) => ({
      text: await client.organizations.getOrganizationEmailText(id, kind, language, options),
      rules: (await client.organizations.listOrganizationEmailTexts(id, options)).find(
        (one) => one.kind === kind,
      ),
    }),
    language,
  )
  return (
    <section class="panel" aria-label={t('words')}>
      <h2>{t('words')}</h2>
      <p>{t('wordsText')}</p>
      <SelectField
        label={t('wordsLanguage')}
        value={language}
        options={languages.map((value) => ({ value, label: languageNames[value] }))}
        onChangeValue={(name) => setLanguage(languages.find((known) => known === name) ?? language)}
      />
      {loaded.value?.text.language === language ? (
        <WordsForm
          key={`${language} ${loaded.value.text.version}`}
          text={loaded.value.text}
          rules={loaded.value.rules}
          onChange={loaded.reload}
        />
      ) : (
        <LoadFailure failure={loaded.failure} onRetry={loaded.reload} />
      )}
    </section>
  )
}

interface WordsFormProps {
  readonly text: EmailText
  readonly rules: EmailTextKind | undefined
  readonly onChange: () => Promise<void>
}

const WordsForm = ({ text, rules, onChange }: WordsFormProps) => {
  const { id } = useOrganization().organization
  const announce = useAnnounce()
  const { language, version } = text
  const [subject, setSubject] = useState(text.subject ?? '')
  const [body, setBody] = useState(text.body ?? '')
  const [preview, setPreview] = useState('')
  const given = { subject, body }
  const finish = async (): Promise<undefined> => {
    await onChange()
    announce(kitText('saved'))
  }
  const save = useConfirmedAction(async () => {
    announce('')
    await client.organizations.updateOrganizationEmailText(id, kind, language, { ...given, version })
    return finish()
  })
  const reset = useConfirmedAction(async () => {
    await client.organizations.resetOrganizationEmailText(id, kind, language)
    return finish()
  })
  const show = useConfirmedAction(async () => {
    const shown = await client.organizations.previewOrganizationEmailText(id, kind, language, given)
    setPreview(`${shown.from ?? ''}\n${shown.subject}\n\n${shown.text}`)
    return undefined
  })
  const failure = save.failure ?? show.failure ?? reset.failure
  const problemOf = (field: string) =>
    failure?.problem.errors
      ?.filter((error) => error.field === field)
      .map(({ message }) => message)
      .join(' ')
  const variables = [...(rules?.variables ?? []), 'link'].map((one) => `{${one}}`)
  return (
    <Form isRunning={save.isRunning} onSubmit={save.run} label={t('words')}>
      <TextField
        label={t('wordsSubject')}
        problem={problemOf('subject')}
        name="words-subject"
        autocomplete="off"
        maxLength={150}
        value={subject}
        onChangeValue={setSubject}
      />
      <TextAreaField
        label={t('wordsBody')}
        hint={formatList([...variables, '[…]({link})', '**…**', '## …', '- …'])}
        problem={problemOf('body')}
        rows={10}
        value={body}
        onChangeValue={setBody}
      />
      <Alert kind="problem">
        {failure && !failure.problem.errors?.length
          ? describeFailure(failure, {
              permission_denied: t('wordsNeedDomain'),
              conflict: kitText('problemConflict'),
            })
          : undefined}
      </Alert>
      <div class="row">
        <Button type="submit">{t('saveWords')}</Button>
        <Button look="secondary" isRunning={show.isRunning} onClick={() => void show.run()}>
          {t('previewWords')}
        </Button>
        {text.body !== null && (
          <Button look="danger" isRunning={reset.isRunning} onClick={() => void reset.run()}>
            {t('resetWords')}
          </Button>
        )}
      </div>
      {preview !== '' && <pre class="words-preview">{preview}</pre>}
    </Form>
  )
}
