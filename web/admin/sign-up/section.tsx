import { useState } from 'preact/hooks'
import type { SignUpPolicy, SignUpPolicyInput, SignUpRequest } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { formatDateTime } from '../../kit/format.ts'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { TemplateField } from '../connections/connection-fields.tsx'
import { BodyChoice, type BodyForm, BodyLines, BodyOptionalText } from '../kit/body-fields.tsx'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { useCurrentUser } from '../kit/current-user.ts'
import { EditForm } from '../kit/edit-form.tsx'
import { problemOf } from '../kit/failure-alert.tsx'
import { History } from '../kit/history.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Managed, ManagedBanner } from '../kit/managed.tsx'
import { Panel } from '../kit/panel.tsx'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useSave } from '../kit/use-save.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('signUpRules')

/** Who waits for an account, and for administrators the policy that decides who may have one. */
export const Section = () => {
  const isAdmin = useCurrentUser().can('system:admin-access')
  const requests = useLoaded((options) => client.invitations.getSignUpRequests(options))
  return (
    <SectionPage heading={consoleText('signUp')}>
      <h2>{t('waiting')}</h2>
      <ShowLoaded loaded={requests}>{(list) => <Requests key={list.length} initial={list} />}</ShowLoaded>
      {isAdmin && <Policy />}
      <History of={{ event: 'sign_up_policy.changed' }} />
    </SectionPage>
  )
}

type Decision = 'approve' | 'refuse'

const Requests = ({ initial }: { readonly initial: readonly SignUpRequest[] }) => {
  const [list, setList] = useState(initial)
  const [decided, setDecided] = useState<readonly [Decision, SignUpRequest] | undefined>()
  if (list.length === 0)
    return (
      <div class="empty">
        <p>{t('noRequests')}</p>
      </div>
    )
  return (
    <>
      <ul class="stack">
        {list.map((request) => (
          <li key={request.id}>
            <Panel
              heading={
                <>
                  {request.full_name}
                  {/* Two people can have the same name. */}
                  <span class="for-screen-readers"> {request.email}</span>
                </>
              }
            >
              <p>
                {request.email}
                <span class="note"> {formatDateTime(request.requested_at)}</span>
              </p>
              <div class="row">
                {(['approve', 'refuse'] as const).map((decision) => (
                  <Button
                    key={decision}
                    look={decision === 'approve' ? 'primary' : 'secondary'}
                    onClick={() => setDecided([decision, request])}
                  >
                    {t(decision)}
                    <span class="for-screen-readers"> {request.email}</span>
                  </Button>
                ))}
              </div>
            </Panel>
          </li>
        ))}
      </ul>
      {decided && (
        <DecisionDialog
          decision={decided[0]}
          request={decided[1]}
          onDecided={() => setList(list.filter(({ id }) => id !== decided[1].id))}
          onClose={() => setDecided(undefined)}
        />
      )}
    </>
  )
}

interface DecisionDialogProps {
  readonly decision: Decision
  readonly request: SignUpRequest
  readonly onDecided: () => void
  readonly onClose: () => void
}

const DecisionDialog = ({ decision, request, onDecided, onClose }: DecisionDialogProps) => {
  const isApproval = decision === 'approve'
  return (
    <ConfirmDialog
      heading={t(isApproval ? 'approveHeading' : 'refuseHeading')}
      action={t(decision)}
      {...(isApproval ? { look: 'primary' as const } : {})}
      failures={{ permission_denied: t('notAllowed'), not_found: t('decidedAlready') }}
      onConfirm={async () => {
        if (isApproval) await client.invitations.approveSignUp(request.id)
        else await client.invitations.refuseSignUp(request.id)
        showToast(t(isApproval ? 'approved' : 'refused'))
        onDecided()
        return undefined
      }}
      onClose={onClose}
    >
      <p>{t(isApproval ? 'approveText' : 'refuseText', { email: request.email })}</p>
    </ConfirmDialog>
  )
}

const Policy = () => {
  const loaded = useLoaded((options) => client.invitations.getSignUpPolicy(options))
  return (
    <Managed kind="sign_up_policy">
      <ManagedBanner />
      <ShowLoaded loaded={loaded}>{(policy) => <PolicyForm policy={policy} />}</ShowLoaded>
    </Managed>
  )
}

const modes = ['off', 'open', 'domains', 'approval'] as const

const PolicyForm = ({ policy }: { readonly policy: SignUpPolicy }) => {
  const form = useSave<SignUpPolicyInput, SignUpPolicy>({
    stored: policy,
    read: () => client.invitations.getSignUpPolicy(),
    write: (changes, current) => client.invitations.updateSignUpPolicy({ ...current, ...changes }),
  })
  return (
    <EditForm
      label={t('rules')}
      form={form}
      operation="update_sign_up_policy"
      failures={{ conflict: kitText('problemConflict') }}
    >
      <Panel heading={t('rules')} intro={t('intro')}>
        <BodyChoice
          form={form}
          name="mode"
          label={t('mode')}
          options={modes.map((mode) => ({ value: mode, label: t(mode) }))}
        />
        <EntriesField form={form} name="domains" label={t('listedDomains')} hint={t('domainsHint')} />
        <EntriesField form={form} name="refused_domains" label={t('refusedDomains')} hint={t('linesHint')} />
        <EntriesField form={form} name="approvers" label={t('approvers')} hint={t('linesHint')} />
        <TemplateField form={form} />
        {problemOf(form.failure, 'user_template') && (
          <p class="field-problem" role="alert">
            {t('templateProblem')}
          </p>
        )}
        <BodyOptionalText form={form} name="terms_version" label={t('termsVersion')} hint={t('termsHint')} />
        <BodyOptionalText form={form} name="terms_url" label={t('termsUrl')} />
      </Panel>
    </EditForm>
  )
}

interface EntriesFieldProps {
  readonly form: BodyForm<SignUpPolicyInput>
  readonly name: 'domains' | 'refused_domains' | 'approvers'
  readonly label: string
  readonly hint: string
}

/** A list, whose first wrong entry is its problem. */
const EntriesField = (props: EntriesFieldProps) => {
  const { form, name } = props
  const wrong = form.value[name]?.find((_, at) => problemOf(form.failure, `${name}.${at}`))
  return (
    <BodyLines
      {...props}
      rows={2}
      split={(text) => text.split(/[\s,;]+/).filter(Boolean)}
      problem={
        problemOf(form.failure, name, { withParts: false }) ??
        (wrong === undefined ? undefined : t('wrongEntry', { entry: wrong }))
      }
    />
  )
}
