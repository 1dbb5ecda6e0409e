import { useState } from 'preact/hooks'
import type { OrganizationPolicy } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { BodyChoice, BodyNumber } from '../kit/body-fields.tsx'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { EditForm } from '../kit/edit-form.tsx'
import { History } from '../kit/history.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Managed, ManagedBanner } from '../kit/managed.tsx'
import { Panel } from '../kit/panel.tsx'
import { toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useSave } from '../kit/use-save.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('organizations')

/** What organizations may do for themselves. */
export const OrganizationPolicyPage = () => {
  const loaded = useLoaded((options) => client.organizations.getOrganizationPolicy(options))
  return (
    <SectionPage
      heading={t('policy')}
      parent={{ address: toAddress('organizations'), label: consoleText('organizations') }}
    >
      <Managed kind="organization_policy">
        <ManagedBanner />
        <ShowLoaded loaded={loaded}>
          {(policy) => <PolicyForm policy={policy} onSave={loaded.setValue} />}
        </ShowLoaded>
        <History of={{ event: 'organization_policy.changed' }} />
      </Managed>
    </SectionPage>
  )
}

interface PolicyFormProps {
  readonly policy: OrganizationPolicy
  readonly onSave: (policy: OrganizationPolicy) => void
}

const PolicyForm = ({ policy, onSave }: PolicyFormProps) => {
  const form = useSave<OrganizationPolicy, OrganizationPolicy>({
    stored: policy,
    read: () => client.organizations.getOrganizationPolicy(),
    write: (changes, current) => client.organizations.updateOrganizationPolicy({ ...current, ...changes }),
    onSave,
  })
  return (
    <EditForm
      label={t('policy')}
      form={form}
      operation="update_organization_policy"
      failures={{ conflict: kitText('problemConflict') }}
    >
      <Panel heading={t('policy')} intro={t('policyIntro')}>
        <BodyChoice
          form={form}
          name="creation"
          label={t('creation')}
          options={[
            { value: 'administrators', label: t('creationAdministrators') },
            { value: 'everybody', label: t('creationEverybody') },
          ]}
        />
        {form.value.creation === 'everybody' && (
          <BodyNumber
            form={form}
            name="creations_max"
            label={t('creationsMax')}
            hint={t('creationsMaxHint')}
            empty={null}
          />
        )}
        <BodyNumber
          form={form}
          name="ending_grace_days"
          label={t('endingGraceDays')}
          hint={t('endingGraceDaysHint')}
          empty={null}
        />
        <BodyChoice
          form={form}
          name="company_sign_in"
          label={t('companySignIn')}
          options={[
            { value: 'never', label: t('companySignInNever') },
            { value: 'ask', label: t('companySignInAsk') },
            { value: 'always', label: t('companySignInAlways') },
          ]}
        />
      </Panel>
      <LiveSignIns isOver={policy.company_sign_in === 'never'} />
    </EditForm>
  )
}

/** What organizations brought goes on, whatever the policy says. Once it is `never`, an administrator can stop it. */
const LiveSignIns = ({ isOver }: { readonly isOver: boolean }) => {
  const [isAsking, setAsking] = useState(false)
  const found = useLoaded((options) =>
    client.organizations.stopOrganizationSignIns({ dry_run: true }, options),
  )
  const count = found.value?.live ?? 0
  if (count === 0) return null
  const stop = async (): Promise<undefined> => {
    let stopped = 0
    for (let isComplete = false; !isComplete; ) {
      const result = await client.organizations.stopOrganizationSignIns({})
      stopped += result.stopped
      isComplete = result.is_complete
    }
    showToast(t('companySignInStopped', { count: stopped }))
    await found.reload()
  }
  return (
    <Panel heading={t('companySignInBrought')} intro={t('companySignInLive', { count })}>
      {isOver && (
        <div class="row">
          <Button look="danger" onClick={() => setAsking(true)}>
            {t('companySignInStop')}
          </Button>
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          heading={t('companySignInStop')}
          action={t('companySignInStop')}
          onConfirm={stop}
          onClose={() => setAsking(false)}
        >
          <p>{t('companySignInStopText')}</p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}
