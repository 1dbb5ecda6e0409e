import { formatDateTime } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'

const t = messagesOf('console')

/** A time with its date, or "never" without one. */
export const formatMoment = (time: string | null | undefined): string =>
  time == null ? t('never') : formatDateTime(time)
