import { useState } from 'preact/hooks'
import type {
  OrganizationRoleInput,
  OrganizationRoles,
  OrganizationRolesInput,
} from '../../../lib/client/generated/models.ts'
import { organizationPermissionNames } from '../../../lib/kernel/contract/organization-permissions.ts'
import { type Language, languageNames, languages } from '../../../lib/kernel/i18n/languages.ts'
import { Button } from '../../kit/button.tsx'
import { SelectField, TextField } from '../../kit/field.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { pageData } from '../../kit/start-path.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { BodyChoice, BodyLines, BodyText, FieldPanel, type RowForm, rowInBody } from '../kit/body-fields.tsx'
import { EditForm } from '../kit/edit-form.tsx'
import { problemOf } from '../kit/failure-alert.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Managed, ManagedBanner } from '../kit/managed.tsx'
import { Facts, Panel } from '../kit/panel.tsx'
import { toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { useSave } from '../kit/use-save.tsx'

const consoleText = messagesOf('console')
const apiText = messagesOf('protectedApis')
const organizationText = messagesOf('organization')
const t = messagesOf('organizations')

/** The roles that members of organizations can have. */
export const OrganizationRolesPage = () => {
  const loaded = useLoaded((options) => client.organizations.getOrganizationRoles(options))
  return (
    <SectionPage
      heading={t('roles')}
      intro={t('rolesIntro')}
      parent={{ address: toAddress('organizations'), label: consoleText('organizations') }}
    >
      <Managed kind="organization_roles">
        <ManagedBanner />
        <Panel heading={t('builtIn')} intro={t('builtInText')}>
          <Facts
            facts={[
              { label: `${organizationText('owner')} (owner)`, value: t('builtInOwner') },
              { label: `${organizationText('admin')} (admin)`, value: t('builtInAdmin') },
              { label: `${organizationText('member')} (member)`, value: t('builtInMember') },
            ]}
          />
        </Panel>
        <ShowLoaded loaded={loaded}>{(roles) => <RolesForm stored={roles} />}</ShowLoaded>
      </Managed>
    </SectionPage>
  )
}

const RolesForm = ({ stored }: { readonly stored: OrganizationRoles }) => {
  const [language, setLanguage] = useState<Language>(
    () => languages.find((name) => name === pageData.language) ?? 'en',
  )
  const form = useSave<OrganizationRolesInput>({
    stored,
    read: () => client.organizations.getOrganizationRoles(),
    write: ({ roles = [] }) => client.organizations.updateOrganizationRoles({ roles }),
  })
  const { roles } = form.value
  return (
    <EditForm
      label={t('roles')}
      form={form}
      operation="update_organization_roles"
      failures={{ conflict: kitText('problemConflict') }}
    >
      <FieldPanel form={form} name="roles" heading={t('declared')} intro={t('declaredText')}>
        {roles.length === 0 && <p>{t('noRoles')}</p>}
        {roles.length > 0 && (
          <SelectField
            label={apiText('textsLanguage')}
            hint={apiText('textsLanguageHint')}
            value={language}
            options={languages.map((name) => ({ value: name, label: languageNames[name] }))}
            onChangeValue={(name) => setLanguage(languages.find((known) => known === name) ?? 'en')}
          />
        )}
        {roles.map((_, at) => (
          <RoleEntry key={at} form={rowInBody(form, 'roles', at)} language={language} />
        ))}
        <div class="row">
          <Button
            look="secondary"
            onClick={() =>
              form.set({
                roles: [...roles, { key: '', texts: { en: '' }, permissions: [], given_by: 'members' }],
              })
            }
          >
            {t('addRole')}
          </Button>
        </div>
      </FieldPanel>
    </EditForm>
  )
}

interface RoleEntryProps {
  readonly form: RowForm<OrganizationRoleInput>
  readonly language: Language
}

const RoleEntry = ({ form, language }: RoleEntryProps) => {
  const { key, texts } = form.value
  const { [language]: text = '', ...others } = texts
  return (
    <fieldset class="stack entry" aria-label={`${organizationText('role')}: ${key}`}>
      <div class="columns">
        <BodyText form={form} name="key" label={t('key')} maxLength={40} writing="code" />
        <TextField
          label={t('roleName')}
          problem={problemOf(form.failure, `${form.path}texts`)}
          autocomplete="off"
          maxLength={120}
          value={text}
          onChangeValue={(changed) =>
            form.set({
              // English is always there, so that the service can say that it is missing.
              texts: { en: '', ...others, ...(changed || language === 'en' ? { [language]: changed } : {}) },
            })
          }
        />
      </div>
      <BodyLines
        form={form}
        name="permissions"
        label={t('rolePermissions')}
        hint={
          <>
            {t('rolePermissionsHint')}{' '}
            {organizationPermissionNames.map((name, at) => (
              <span key={name}>
                {at > 0 && ', '}
                <code>{name}</code>
              </span>
            ))}
          </>
        }
      />
      <BodyChoice
        form={form}
        name="given_by"
        label={t('roleGivenBy')}
        hint={t('roleGivenByHint')}
        options={[
          { value: 'members', label: t('roleGivenByMembers') },
          { value: 'service', label: t('roleGivenByService') },
        ]}
      />
      <div class="row">
        <Button look="secondary" onClick={form.remove}>
          {t('removeRole', { name: key || organizationText('role') })}
        </Button>
      </div>
    </fieldset>
  )
}
