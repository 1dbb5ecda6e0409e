import { useState } from 'preact/hooks'
import { isLanguage, languageNames, languages } from '../../lib/i18n/languages.ts'
import { Alert } from '../kit/alert.tsx'
import { Button } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { SelectField, TextField } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { t as kitText, messagesOf } from '../kit/messages.ts'
import { client } from '../session-kit/client.ts'
import { useConfirmedAction } from '../session-kit/use-confirmed-action.ts'
import { useAccount } from './account-state.ts'
import { EmailPanel } from './email-panel.tsx'
import { showInLanguage } from './show-in-language.ts'

const t = messagesOf('account')

const longestName = 255

/** Who the user is: their names, language and email address. */
export const ProfileSection = () => (
  <>
    <NamePanel />
    <EmailPanel />
  </>
)

const NamePanel = () => {
  const { profile, setProfile, announce } = useAccount()
  const [fullName, setFullName] = useState(profile.full_name ?? '')
  const [language, setLanguage] = useState<string>(profile.language ?? '')
  const save = useConfirmedAction(async () => {
    const chosen = isLanguage(language) ? language : null
    const saved = await client.users.updateCurrentUser({
      full_name: fullName.trim() || null,
      language: chosen,
    })
    announce('')
    if (showInLanguage(chosen, profile.language)) return undefined
    setProfile(saved)
    announce(kitText('saved'))
    return undefined
  })
  return (
    <section class="panel" aria-label={t('names')}>
      <Form onSubmit={save.run}>
        <TextField
          label={t('fullName')}
          name="name"
          autocomplete="name"
          maxLength={longestName}
          value={fullName}
          onChangeValue={setFullName}
        />
        <div class="field">
          <span class="label">{t('username')}</span>
          <bdi>{profile.username}</bdi>
        </div>
        <SelectField
          label={kitText('language')}
          hint={t('languageHint')}
          value={language}
          onChangeValue={setLanguage}
          options={[
            { value: '', label: t('languageOfBrowser') },
            ...languages.map((value) => ({ value, label: languageNames[value] })),
          ]}
        />
        <Alert kind="problem">{save.failure && describeFailure(save.failure)}</Alert>
        <div class="row">
          <Button type="submit" isRunning={save.isRunning}>
            {kitText('save')}
          </Button>
        </div>
      </Form>
    </section>
  )
}
