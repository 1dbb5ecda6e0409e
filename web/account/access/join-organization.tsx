import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type {
  OrganizationJoinCodeRequest,
  OrganizationRole,
  OwnOrganizationInvitation,
} from '../../../lib/client/generated/models.ts'
import { Alert, Button } from '../../kit/button.tsx'
import { describeFailure } from '../../kit/describe-failure.ts'
import { FormDialog } from '../../kit/dialog.tsx'
import { CodeField } from '../../kit/field.tsx'
import { focusField } from '../../kit/form.tsx'
import { listJoinRefusals } from '../../kit/join-refusals.ts'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { type ItemDialogProps, useItemChange } from '../../session-kit/items.tsx'
import { describeRoles } from '../../session-kit/organization-roles.ts'
import { useConfirmedAction } from '../../session-kit/use-loaded.ts'

const t = messagesOf('organization')
const invite = messagesOf('invite')
const signIn = messagesOf('signIn')

interface JoinDialogProps extends ItemDialogProps {
  readonly invitation: OwnOrganizationInvitation
  readonly declaredRoles: readonly OrganizationRole[]
}

/** Accepts an invitation with a code, which the invited address gets when the dialog opens. */
export const JoinDialog = ({ invitation, declaredRoles, ...dialog }: JoinDialogProps) => {
  const { id, organization_name: organization } = invitation
  const [asked, setAsked] = useState<OrganizationJoinCodeRequest | undefined>()
  const [code, setCode] = useState('')
  const [isMissing, setMissing] = useState(false)
  // A failure is about the code of one request. A new code has none yet.
  const [tried, setTried] = useState<string | undefined>()
  const [wasSentAgain, setSentAgain] = useState(false)
  const request = useConfirmedAction(async () => {
    setSentAgain(false)
    const wasAsked = asked !== undefined
    setAsked(await client.organizations.requestOrganizationJoinCode(id))
    setCode('')
    setMissing(false)
    setSentAgain(wasAsked)
    return undefined
  })
  useEffect(() => void request.run(), [])
  useLayoutEffect(() => focusField('join-code'), [asked])
  const join = useItemChange(
    dialog,
    invite('joined', { organization }),
    ({ request_id, shown }: OrganizationJoinCodeRequest, typed: string) =>
      client.organizations.joinOrganizationWithCode(id, { request_id, shown, code: typed.trim() }),
  )
  const submit = (typed: string): void => {
    setSentAgain(false)
    setMissing(typed.trim() === '')
    if (!asked || typed.trim() === '') return
    setTried(asked.request_id)
    void join.run(asked, typed)
  }
  const failure = tried === asked?.request_id ? join.failure : undefined
  const isWrong = failure?.problem.reason === 'email_code_invalid'
  const shownFailure = request.failure ?? (isWrong ? undefined : failure)
  return (
    <FormDialog
      heading={invite('joinHeading', { organization: asked?.organization_name ?? organization })}
      action={invite('join')}
      isRunning={request.isRunning || join.isRunning}
      onSubmit={() => submit(code)}
      onClose={dialog.onClose}
    >
      {!asked && !request.failure && <p role="status">{kitText('loading')}</p>}
      {asked && (
        <>
          <p>
            {t('invitedBy', { name: asked.invited_by })}{' '}
            {t('roles', { list: describeRoles(declaredRoles, asked.roles) })}
          </p>
          <p>{t('joinText', { email: asked.email })}</p>
          <CodeField
            label={signIn('emailCode')}
            problem={isMissing ? kitText('required') : isWrong && t('joinCodeWrong')}
            name="join-code"
            inputMode="numeric"
            digits={8}
            value={code}
            onChangeValue={setCode}
            onComplete={submit}
          />
        </>
      )}
      <Alert kind="problem">{shownFailure && describeFailure(shownFailure, listJoinRefusals())}</Alert>
      <Alert kind="success">{wasSentAgain && t('joinCodeSent')}</Alert>
      {(asked || request.failure) && (
        <Button look="quiet" isRunning={request.isRunning} onClick={() => void request.run()}>
          {signIn('resend')}
        </Button>
      )}
    </FormDialog>
  )
}
