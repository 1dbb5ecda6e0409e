import type {
  NewOrganization as NewOrganizationBody,
  OrganizationChanges,
} from '../../../lib/client/generated/models.ts'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { suggestSlug } from '../../session-kit/suggest-slug.ts'
import type { BodyForm } from '../kit/body-fields.tsx'
import { BodyNumber, BodyOptionalText, BodyText } from '../kit/body-fields.tsx'
import { CreateForm } from '../kit/edit-form.tsx'
import { Panel } from '../kit/panel.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useCreate } from '../kit/use-save.tsx'

const consoleText = messagesOf('console')
const people = messagesOf('people')
const t = messagesOf('organizations')

const emptyOrganization: NewOrganizationBody = { name: '', slug: '', external_id: null, member_limit: null }

/** Creates an organization, then opens its page, where it gets its first owner. */
export const NewOrganization = () => {
  const form = useCreate(emptyOrganization, async (body) => {
    const { id, name } = await client.organizations.createOrganization(body)
    showToast(people('created', { name }))
    leaveFor(toAddress('organizations', [id]))
  })
  const { name, slug } = form.value
  // The slug follows the name until the person types another one.
  const suggesting = {
    ...form,
    set: (changes: Partial<NewOrganizationBody>) =>
      form.set(
        changes.name !== undefined && slug === suggestSlug(name)
          ? { ...changes, slug: suggestSlug(changes.name) }
          : changes,
      ),
  }
  return (
    <SectionPage
      heading={t('newOrganization')}
      parent={{ address: toAddress('organizations'), label: consoleText('organizations') }}
    >
      <CreateForm
        label={t('newOrganization')}
        action={people('create')}
        form={form}
        cancelAddress={toAddress('organizations')}
        operation="create_organization"
        failures={{ conflict: kitText('problemConflict'), taken: t('taken') }}
      >
        <Panel heading={t('organization')}>
          <OrganizationFields form={suggesting} required />
        </Panel>
      </CreateForm>
    </SectionPage>
  )
}

interface OrganizationFieldsProps<Body extends OrganizationChanges> {
  readonly form: BodyForm<Body>
  readonly required?: boolean
}

/** What administrators decide about an organization. */
export const OrganizationFields = <Body extends OrganizationChanges>(
  props: OrganizationFieldsProps<Body>,
) => {
  // What has the fields of an organization is edited as one.
  const form = props.form as BodyForm<OrganizationChanges>
  const { required = false } = props
  return (
    <>
      <BodyText form={form} name="name" label={people('name')} maxLength={100} required={required} />
      <BodyText
        form={form}
        name="slug"
        label={t('slug')}
        hint={t('slugHint')}
        writing="code"
        maxLength={50}
        required={required}
      />
      <BodyOptionalText
        form={form}
        name="external_id"
        label={t('externalId')}
        hint={t('externalIdHint')}
        writing="code"
        maxLength={255}
      />
      <BodyNumber
        form={form}
        name="member_limit"
        label={t('memberLimit')}
        hint={t('memberLimitHint')}
        empty={null}
      />
    </>
  )
}
