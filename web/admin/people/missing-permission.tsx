import { messagesOf } from '../../kit/messages.ts'
import { describePermissions } from './permissions.ts'

const t = messagesOf('people')

/** Names the permission that a person lacks. */
export const MissingPermission = ({ name }: { readonly name: string }) => (
  <p>{t('missingPermission', { permission: describePermissions([name]) })}</p>
)
