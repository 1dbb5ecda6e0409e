import { useState } from 'preact/hooks'
import { Alert, Button } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { TextField } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { t as kitText, messagesOf } from '../kit/messages.ts'
import { useAnnounce } from '../session-kit/announce.ts'
import { client } from '../session-kit/client.ts'
import { useConfirmedAction } from '../session-kit/use-loaded.ts'
import { BrandingPanel } from './branding-panel.tsx'
import { EmailTextsPanel } from './email-texts-panel.tsx'
import { EndingPanel } from './ending-panel.tsx'
import { useOrganization } from './organization-state.ts'

const t = messagesOf('organizationPage')

const longestName = 100
const longestSlug = 50

/** What the organization is called, how it looks, and whether it ends. */
export const SettingsSection = () => {
  const { organization, can, reload } = useOrganization()
  const announce = useAnnounce()
  const [name, setName] = useState(organization.name)
  const [slug, setSlug] = useState(organization.slug)
  const [isChecked, setChecked] = useState(false)
  const isMissing = (text: string) => isChecked && text.trim() === '' && kitText('required')
  const save = useConfirmedAction(async () => {
    announce('')
    setChecked(true)
    if (name.trim() === '' || slug.trim() === '') return undefined
    await client.organizations.patchOrganization(organization.id, { name: name.trim(), slug: slug.trim() })
    await reload()
    announce(kitText('saved'))
    return undefined
  })
  const problemOf = (field: string) =>
    save.failure?.problem.errors?.some((error) => error.field === field) && t('invalid')
  return (
    <>
      <section class="panel" aria-label={t('settings')}>
        <Form isRunning={save.isRunning} onSubmit={save.run} label={t('settings')}>
          <TextField
            label={t('name')}
            hint={t('nameHint')}
            problem={isMissing(name) || problemOf('name')}
            name="organization-name"
            autocomplete="off"
            maxLength={longestName}
            value={name}
            onChangeValue={setName}
          />
          <TextField
            label={t('slug')}
            hint={t('slugHint')}
            problem={isMissing(slug) || problemOf('slug')}
            name="organization-slug"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            maxLength={longestSlug}
            value={slug}
            onChangeValue={setSlug}
          />
          <Alert kind="problem">
            {save.failure && !problemOf('name') && !problemOf('slug')
              ? describeFailure(save.failure, {
                  conflict: t('taken'),
                  too_many_slug_changes: t('slugChangedTooOften'),
                  too_many_former_slugs: t('tooManyFormerSlugs'),
                })
              : undefined}
          </Alert>
          <div class="row">
            <Button type="submit">{kitText('save')}</Button>
          </div>
        </Form>
      </section>
      <BrandingPanel />
      <EmailTextsPanel />
      {can('org:ending:manage') && <EndingPanel />}
    </>
  )
}
