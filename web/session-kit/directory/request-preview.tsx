import { useState } from 'preact/hooks'
import type { ScimPlanStep, ScimPreview, ScimPreviewRequest } from '../../../lib/client/generated/models.ts'
import { Alert, Button } from '../../kit/button.tsx'
import { describeFailure } from '../../kit/describe-failure.ts'
import { SelectField, TextAreaField, TextField } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { formatList } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { useConfirmedAction } from '../use-loaded.ts'
import type { DirectoryApi } from './directory-api.ts'

const t = messagesOf('directory')

const methods = (['POST', 'PUT', 'PATCH', 'DELETE'] as const).map((value) => ({ value, label: value }))
const resources = (['Users', 'Groups'] as const).map((value) => ({ value, label: value }))

/** Says what a request of the directory would do. */
export const RequestPreview = ({ api }: { readonly api: DirectoryApi }) => {
  const [method, setMethod] = useState<ScimPreviewRequest['method']>('PATCH')
  const [resource, setResource] = useState<ScimPreviewRequest['resource']>('Users')
  const [id, setId] = useState('')
  const [body, setBody] = useState('')
  const [result, setResult] = useState<ScimPreview | undefined>()
  const hasId = method !== 'POST'
  const hasBody = method !== 'DELETE'
  const check = useConfirmedAction(async () => {
    setResult(undefined)
    const request = {
      method,
      resource,
      resource_id: hasId ? id.trim() : null,
      body: hasBody ? body : null,
    }
    setResult(await api.preview(request))
    return undefined
  })
  return (
    <>
      <p class="note">{t('previewText')}</p>
      <Form isRunning={check.isRunning} onSubmit={() => void check.run()} label={t('preview')}>
        <SelectField
          label={t('method')}
          name="scim-method"
          value={method}
          options={methods}
          onChangeValue={(value) => setMethod(methods.find((one) => one.value === value)?.value ?? 'PATCH')}
        />
        <SelectField
          label={t('resource')}
          name="scim-resource"
          value={resource}
          options={resources}
          onChangeValue={(value) => setResource(value === 'Groups' ? value : 'Users')}
        />
        {hasId && (
          <TextField
            label={t('resourceId')}
            hint={t('resourceIdHint')}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            maxLength={64}
            value={id}
            onChangeValue={setId}
          />
        )}
        {hasBody && <TextAreaField label={t('body')} rows={8} value={body} onChangeValue={setBody} />}
        <Alert kind="problem">{check.failure && describeFailure(check.failure)}</Alert>
        <div class="row">
          <Button type="submit" look="secondary">
            {t('check')}
          </Button>
        </div>
      </Form>
      {result && <Result result={result} />}
    </>
  )
}

const Result = ({ result: { status, body, plan } }: { readonly result: ScimPreview }) => (
  <div class="stack" role="status">
    <p>{t(status >= 400 ? 'refused' : 'accepted', { status })}</p>
    {plan.length > 0 && (
      <ol class="directory-plan">
        {plan.map((step, at) => (
          <li key={at}>{describeStep(step)}</li>
        ))}
      </ol>
    )}
    {body !== null && (
      <pre class="directory-body" dir="ltr">
        {JSON.stringify(JSON.parse(body), null, 2)}
      </pre>
    )}
  </div>
)

const stepTexts = {
  create_person: 'planCreatePerson',
  create_group: 'planCreateGroup',
  change_attributes: 'planChange',
  change_nothing: 'planNothing',
  use_account: 'planAccount',
  wait_for_sign_in: 'planWait',
  refuse_sign_in: 'planRefuse',
  end_sessions: 'planEndSessions',
  end_membership: 'planEndMembership',
  end_account: 'planEndAccount',
  keep_last_owner: 'planLastOwner',
  keep_last_admin: 'planLastAdmin',
  bring_back: 'planBringBack',
  stay_ended: 'planStayEnded',
  delete_person: 'planDeletePerson',
  delete_group: 'planDeleteGroup',
  add_members: 'planAdd',
  remove_members: 'planRemove',
  replace_members: 'planReplace',
} as const

const describeStep = ({ action, names, count }: ScimPlanStep): string =>
  t(stepTexts[action], { names: formatList(names), count: count ?? 0 })
