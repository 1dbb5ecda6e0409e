import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { SignUpPolicy, SignUpPolicyInput, SignUpRequest } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { SelectField, TextAreaField, TextField } from '../../kit/field.tsx'
import { formatDateTime } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { useCurrentUser } from '../kit/current-user.ts'
import { EditForm } from '../kit/edit-form.tsx'
import { problemOf } from '../kit/failure-alert.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Panel } from '../kit/panel.tsx'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useDraft, useSave } from '../kit/use-save.tsx'
import { TemplateField } from '../saml-providers/connection-fields.tsx'

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
  return <ShowLoaded loaded={loaded}>{(policy) => <PolicyForm initial={toValues(policy)} />}</ShowLoaded>
}

/** The policy as its form has it. Lists have one entry in each line. */
interface PolicyValues {
  readonly mode: SignUpPolicy['mode']
  readonly domains: string
  readonly refused_domains: string
  readonly approvers: string
  readonly user_template: string
  readonly terms_version: string
  readonly terms_url: string
}

const toValues = (policy: SignUpPolicy): PolicyValues => ({
  mode: policy.mode,
  domains: (policy.domains ?? []).join('\n'),
  refused_domains: (policy.refused_domains ?? []).join('\n'),
  approvers: (policy.approvers ?? []).join('\n'),
  user_template: String(policy.user_template ?? ''),
  terms_version: policy.terms_version ?? '',
  terms_url: policy.terms_url ?? '',
})

const readLines = (text: string): string[] => text.split(/[\s,;]+/).filter((line) => line !== '')

const toPolicy = (values: PolicyValues): SignUpPolicyInput => ({
  mode: values.mode,
  domains: readLines(values.domains),
  refused_domains: readLines(values.refused_domains),
  approvers: readLines(values.approvers),
  user_template: values.user_template === '' ? null : Number(values.user_template),
  terms_version: values.terms_version.trim() || null,
  terms_url: values.terms_url.trim() || null,
})

const modes = ['off', 'open', 'domains', 'approval'] as const

const PolicyForm = ({ initial }: { readonly initial: PolicyValues }) => {
  const draft = useDraft(initial)
  const { value, set } = draft
  const save = useSave({
    draft,
    read: async () => toValues(await client.invitations.getSignUpPolicy()),
    write: async (changes) => {
      const current = toValues(await client.invitations.getSignUpPolicy())
      return toValues(await client.invitations.updateSignUpPolicy(toPolicy({ ...current, ...changes })))
    },
  })
  const { failure } = save.action
  const labels = {
    mode: t('mode'),
    domains: t('listedDomains'),
    refused_domains: t('refusedDomains'),
    approvers: t('approvers'),
    user_template: t('template'),
    terms_version: t('termsVersion'),
    terms_url: t('termsUrl'),
  }
  return (
    <EditForm label={t('rules')} draft={draft} save={save} labels={labels}>
      <Panel heading={t('rules')} intro={t('intro')}>
        <SelectField
          label={labels.mode}
          value={value.mode}
          options={modes.map((mode) => ({ value: mode, label: t(mode) }))}
          onChangeValue={(text) => set({ mode: modes.find((mode) => mode === text) ?? 'off' })}
        />
        {(['domains', 'refused_domains', 'approvers'] as const).map((name) => (
          <TextAreaField
            key={name}
            label={labels[name]}
            hint={t(name === 'domains' ? 'domainsHint' : 'linesHint')}
            problem={findProblem(failure, name, value[name])}
            value={value[name]}
            onChangeValue={(text) => set({ [name]: text })}
          />
        ))}
        <TemplateField value={value.user_template} onChangeValue={(id) => set({ user_template: id })} />
        {problemOf(failure, 'user_template') && (
          <p class="field-problem" role="alert">
            {t('templateProblem')}
          </p>
        )}
        {(['terms_version', 'terms_url'] as const).map((name) => (
          <TextField
            key={name}
            label={labels[name]}
            hint={name === 'terms_version' && t('termsHint')}
            problem={problemOf(failure, name)}
            autocomplete="off"
            value={value[name]}
            onChangeValue={(text) => set({ [name]: text })}
          />
        ))}
      </Panel>
    </EditForm>
  )
}

/** What is wrong with a list, or with its first wrong entry. */
const findProblem = (
  failure: Parameters<typeof problemOf>[0],
  name: keyof PolicyValues,
  text: string,
): ComponentChildren => {
  const own = problemOf(failure, name)
  if (own) return own
  const wrong = readLines(text).findIndex((_, at) => problemOf(failure, `${name}.${at}`))
  return wrong < 0 ? undefined : t('wrongEntry', { entry: readLines(text)[wrong] ?? '' })
}
