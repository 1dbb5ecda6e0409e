import type { OneTimeAccessToken } from '../../../lib/client/generated/models.ts'
import { formatDateTime, formatList } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { Tag } from '../kit/panel.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('accessLinks')

/** What a link opens, by its names. */
export const describeContent = ({
  shared_bundles: bundles,
  shared_directories: directories,
}: OneTimeAccessToken): string => formatList([...bundles, ...directories].map(({ name }) => name))

/** When a link stops working. */
export const LinkExpiry = ({ expires }: Pick<OneTimeAccessToken, 'expires'>) => {
  if (expires === null) return <>{consoleText('never')}</>
  if (Date.parse(expires) <= Date.now()) return <Tag kind="warning">{t('expired')}</Tag>
  return <>{formatDateTime(expires)}</>
}
