import { day } from '../../lib/kernel/util/time.ts'
import { Button } from '../kit/button.tsx'
import { SelectField, TextField } from '../kit/field.tsx'
import { useFirstFocus } from '../kit/form.tsx'
import { formatDate, formatRelativeTime } from '../kit/format.ts'
import { t as kitText, messagesOf } from '../kit/messages.ts'
import { CopyButton } from './copy-button.tsx'

const t = messagesOf('access')

export const longestTokenName = 1023
const lifetimesDays = [7, 30, 90, 365]

interface NewTokenFieldsProps {
  readonly name: string
  readonly isNameMissing: boolean
  readonly onChangeName: (name: string) => void
  /** In days. "0" for a token without an end. */
  readonly lifetime: string
  readonly onChangeLifetime: (lifetime: string) => void
}

/** What a new API token is for, and how long it works. */
export const NewTokenFields = (props: NewTokenFieldsProps) => {
  const { name, isNameMissing, onChangeName, lifetime, onChangeLifetime } = props
  return (
    <>
      <TextField
        label={t('tokenName')}
        hint={t('tokenNameHint')}
        name="token-name"
        autocomplete="off"
        maxLength={longestTokenName}
        problem={isNameMissing && kitText('required')}
        value={name}
        onChangeValue={onChangeName}
        autoFocus
      />
      <SelectField
        label={t('expiry')}
        value={lifetime}
        onChangeValue={onChangeLifetime}
        options={[
          ...lifetimesDays.map((count) => ({ value: String(count), label: t('days', { count }) })),
          { value: '0', label: t('forever') },
        ]}
      />
    </>
  )
}

/** When a new token ends that works for this many days. */
export const toExpiry = (lifetime: string): string | null => {
  const days = Number(lifetime)
  return days ? new Date(Date.now() + days * day).toISOString() : null
}

interface TokenUse {
  readonly created: string
  readonly used: string | null
  readonly expires: string | null
}

/** When a token was created and used, and when it ends. */
export const describeUse = ({ created, used, expires }: TokenUse): readonly string[] => [
  t('createdOn', { date: formatDate(created) }),
  used === null ? t('neverUsed') : t('usedTime', { time: formatRelativeTime(used) }),
  describeExpiry(expires),
]

export const describeExpiry = (expires: string | null): string => {
  if (expires === null) return t('neverExpires')
  const date = formatDate(expires)
  return Date.parse(expires) > Date.now() ? t('expiresOn', { date }) : t('expiredOn', { date })
}

interface TokenValueProps {
  readonly value: string
  readonly onStored: () => void
}

/** The value of a new token, which is shown once. */
export const TokenValue = ({ value, onStored }: TokenValueProps) => {
  const heading = useFirstFocus<HTMLHeadingElement>()
  return (
    <div class="alert information stack">
      <h2 ref={heading} tabIndex={-1}>
        {t('tokenValueHeading')}
      </h2>
      <p>{t('tokenValueText')}</p>
      <code class="secret">{value}</code>
      <div class="row">
        <CopyButton text={value} label={t('token')} />
        <Button onClick={onStored}>{t('tokenStored')}</Button>
      </div>
    </div>
  )
}
