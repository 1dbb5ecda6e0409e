import { useRef, useState } from 'preact/hooks'
import type { APIToken, ServiceUserDetail } from '../../../lib/client/generated/models.ts'
import { day, minute } from '../../../lib/kernel/util/time.ts'
import { Alert } from '../../kit/button.tsx'
import { toFailure } from '../../kit/call-api.ts'
import { FormDialog, useClosing } from '../../kit/dialog.tsx'
import { readLines, SelectField, TextAreaField } from '../../kit/field.tsx'
import { formatDateTime, formatList } from '../../kit/format.ts'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useConfirmedAction } from '../../session-kit/use-loaded.ts'
import { FailureAlert } from '../kit/failure-alert.tsx'
import { CopyFacts, Facts } from '../kit/panel.tsx'
import { showToast } from '../kit/toast.tsx'

const t = messagesOf('apiTokens')
const people = messagesOf('people')

interface ReplaceTokenProps {
  readonly token: APIToken
  /** The owner of the token. */
  readonly owner: ServiceUserDetail
  /** Called with the time until which the old token works. Undefined if it has ended. */
  readonly onReplaced: (until: string | undefined) => void
  readonly onClose: () => void
}

/**
 * Replaces an API token: its new owner creates another one, and the old one ends now or some days later. Nobody can create one for
 * somebody else, who would then not be the only one to know its value. So the old one can only be given an end for them.
 */
export const ReplaceToken = ({ token, owner, onReplaced, onClose }: ReplaceTokenProps) => {
  const [creator, setCreator] = useState('me')
  const [value, setValue] = useState<string | undefined>()
  const [isDone, setDone] = useState(false)
  const isCreating = creator === 'me' && value === undefined
  const create = useCreation(token, owner, setValue)
  const end = useEnd({ token, owner, onReplaced, onClose, onDone: () => setDone(true) })
  const action = isCreating ? create : end
  return (
    <FormDialog
      heading={t('replaceHeading', { name: token.name })}
      action={isCreating ? t('createNew') : t('endOld')}
      look={isCreating ? 'primary' : 'danger'}
      isRunning={create.isRunning || end.isRunning}
      onSubmit={() => {
        if (!isDone) void action.run()
      }}
      onClose={onClose}
    >
      {value === undefined && (
        <SelectField
          label={t('creator')}
          value={creator}
          onChangeValue={setCreator}
          options={[
            { value: 'me', label: t('creatorMe') },
            { value: 'other', label: t('creatorOther') },
          ]}
        />
      )}
      {isCreating && (
        <>
          <p>{t('createText', { name: token.name })}</p>
          <TextAreaField
            label={t('newScopes')}
            hint={token.scopes === null ? t('newScopesHint', { name: owner.display_name }) : t('sameScopes')}
            problem={create.isScopeMissing ? kitText('required') : create.scopeProblem}
            value={create.scopes}
            onChangeValue={create.setScopes}
            rows={4}
          />
        </>
      )}
      <Alert kind="success">{value !== undefined && t('copyNew')}</Alert>
      {value !== undefined && <CopyFacts facts={[{ label: t('token'), value }]} />}
      {creator === 'other' && (
        <>
          <p>{t('otherText')}</p>
          <Facts
            facts={[
              { label: people('name'), value: token.name },
              {
                label: t('scopes'),
                value: formatList(token.scopes ?? owner.effective_permissions) || t('nothing'),
              },
            ]}
          />
        </>
      )}
      {!isCreating && (
        <SelectField
          label={t('oldEnds')}
          value={end.until}
          onChangeValue={end.setUntil}
          options={[
            ...end.days.map((time) => ({ value: time, label: formatDateTime(time) })),
            { value: now, label: t('endNow') },
          ]}
        />
      )}
      <FailureAlert
        failure={action.failure}
        failures={{
          permission_denied: people('notAllowedForUser'),
          too_many_api_tokens: t('tooMany'),
        }}
      />
    </FormDialog>
  )
}

/** Creates the new token as the caller. It gets no more than the old one may do now, unless the caller chooses. */
const useCreation = (token: APIToken, owner: ServiceUserDetail, onCreate: (value: string) => void) => {
  const [scopes, setScopes] = useState(() => (token.scopes ?? owner.effective_permissions).join('\n'))
  const [isChecked, setChecked] = useState(false)
  const given = readLines(scopes)
  /** The IDs of the tokens that there were before a request without an answer. */
  const unanswered = useRef<readonly number[] | undefined>(undefined)
  const action = useConfirmedAction(async () => {
    setChecked(true)
    if (given.length === 0) return undefined
    const { items } = await client.apiTokens.listApiTokens({ name: token.name, limit: 100 })
    const known = unanswered.current
    // The answer of a lost request had the value of a token, so no one can use that one.
    for (const { id } of items) if (known && !known.includes(id)) await client.apiTokens.deleteApiToken(id)
    unanswered.current = known ?? items.map(({ id }) => id)
    try {
      onCreate((await client.apiTokens.createApiToken({ name: token.name, scopes: given })).token)
    } catch (error) {
      if (toFailure(error).status !== 0) unanswered.current = undefined
      throw error
    }
    return undefined
  })
  const problem = action.failure?.problem.errors?.find(({ field }) => field === 'scopes')
  return {
    ...action,
    scopes,
    setScopes,
    isScopeMissing: isChecked && given.length === 0,
    scopeProblem: problem?.message,
  }
}

const now = 'now'

interface EndOptions extends ReplaceTokenProps {
  readonly onDone: () => void
}

/** Ends the old token, or lets it work until the end of a day. */
const useEnd = ({ token, owner, onReplaced, onClose, onDone }: EndOptions) => {
  const [days] = useState(() => listDays(token.expires))
  const [until, setUntil] = useState(days.at(-1) ?? now)
  const close = useClosing(onClose)
  const action = useConfirmedAction(async () => {
    if (until === now) await endToken(token.id, owner.id)
    else await client.apiTokens.shortenApiToken(token.id, { user: owner.id, expires: until })
    onDone()
    showToast(until === now ? t('oldEnded') : t('oldWorksUntil', { time: formatDateTime(until) }))
    close()
    onReplaced(until === now ? undefined : until)
    return undefined
  })
  return { ...action, days, until, setUntil }
}

/** A token that was deleted by a request without an answer has ended. */
const endToken = async (id: number, user: number): Promise<void> => {
  try {
    await client.apiTokens.deleteApiToken(id, { user })
  } catch (error) {
    if (toFailure(error).problem.code !== 'not_found') throw error
  }
}

/** The ends of this day and the next ones, up to 7 days ahead and not after the present end. The clocks of two computers differ a little. */
const listDays = (expires: string | null): readonly string[] => {
  const nowMs = Date.now()
  const latest = Math.min(
    nowMs + 7 * day - 5 * minute,
    expires === null ? Number.POSITIVE_INFINITY : Date.parse(expires),
  )
  const ends = Array.from({ length: 8 }, (_, at) => {
    const end = new Date(nowMs)
    end.setDate(end.getDate() + at)
    return Math.min(end.setHours(23, 59, 0, 0), latest)
  })
  return [...new Set(ends)].filter((ms) => ms > nowMs).map((ms) => new Date(ms).toISOString())
}
