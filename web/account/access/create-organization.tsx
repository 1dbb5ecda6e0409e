import { useState } from 'preact/hooks'
import { Alert, Button } from '../../kit/button.tsx'
import { describeFailure } from '../../kit/describe-failure.ts'
import { TextField } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { suggestSlug } from '../../session-kit/suggest-slug.ts'
import { useConfirmedAction, useLoaded } from '../../session-kit/use-loaded.ts'
import { useAccount } from '../account-state.ts'

const t = messagesOf('organization')

const longestName = 100
const longestSlug = 50

interface CreateOrganizationProps {
  readonly onCreate: () => Promise<void>
}

/** Offers people to create an organization, if the service lets everybody do so. */
export const CreateOrganization = ({ onCreate }: CreateOrganizationProps) => {
  const policy = useLoaded((options) => client.organizations.getOrganizationPolicy(options))
  const [isOpen, setOpen] = useState(false)
  if (policy.value?.creation !== 'everybody') return null
  if (isOpen) return <CreateForm onCreate={onCreate} onClose={() => setOpen(false)} />
  return (
    <div class="row">
      <Button look="secondary" onClick={() => setOpen(true)}>
        {t('create')}
      </Button>
    </div>
  )
}

const CreateForm = ({ onCreate, onClose }: CreateOrganizationProps & { readonly onClose: () => void }) => {
  const { announce } = useAccount()
  const [name, setName] = useState('')
  const [slug, setSlug] = useState('')
  const [isChecked, setChecked] = useState(false)
  const create = useConfirmedAction(async () => {
    announce('')
    setChecked(true)
    if (name.trim() === '' || slug.trim() === '') return undefined
    const { name: shown } = await client.organizations.createOwnOrganization({
      name: name.trim(),
      slug: slug.trim(),
    })
    await onCreate()
    announce(t('created', { name: shown }))
    onClose()
    return undefined
  })
  const { failure } = create
  const problemOf = (field: string, value: string) =>
    (isChecked && value.trim() === '' && kitText('required')) ||
    failure?.problem.errors?.find((one) => one.field === field)?.message
  return (
    <Form isRunning={create.isRunning} onSubmit={create.run} label={t('create')}>
      <p>{t('createText')}</p>
      <TextField
        label={t('name')}
        name="organization-name"
        autocomplete="organization"
        maxLength={longestName}
        problem={problemOf('name', name)}
        value={name}
        onChangeValue={(text) => {
          setName(text)
          // The slug follows the name until the person types another one.
          if (slug === suggestSlug(name)) setSlug(suggestSlug(text))
        }}
        autoFocus
      />
      <TextField
        label={t('slug')}
        hint={t('slugHint')}
        name="organization-slug"
        autocomplete="off"
        maxLength={longestSlug}
        problem={problemOf('slug', slug)}
        value={slug}
        onChangeValue={setSlug}
      />
      <Alert kind="problem">
        {failure &&
          describeFailure(failure, {
            slug_taken: t('slugTaken'),
            roles_limited: t('ownRolesLimited'),
            too_many_organizations: t('tooMany'),
            unconfirmed_email: t('unconfirmed'),
          })}
      </Alert>
      <div class="row">
        <Button type="submit">{t('create')}</Button>
        <Button look="secondary" onClick={onClose}>
          {kitText('cancel')}
        </Button>
      </div>
    </Form>
  )
}
