import type { ServiceUserDetail } from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { describeLastUse, RemovableList } from './removable-list.tsx'

const people = messagesOf('people')
const t = messagesOf('users')

/** The passkeys of a user, for one that was lost. */
export const UserPasskeys = ({ user }: { readonly user: ServiceUserDetail }) => (
  <RemovableList
    heading={t('passkeys')}
    load={(options) => client.passkeys.listUserPasskeys(user.id, {}, options)}
    empty={t('noPasskeys')}
    nameOf={({ name }) => name}
    noteOf={({ last_used_at: time }) => describeLastUse(time)}
    action={people('remove')}
    question={t('removePasskey')}
    explain={({ name }) => t('removePasskeyText', { name: user.display_name, passkey: name })}
    remove={({ id }) => client.passkeys.deleteUserPasskey(user.id, id)}
    done={t('passkeyRemoved')}
  />
)
