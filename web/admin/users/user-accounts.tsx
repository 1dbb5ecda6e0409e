import type { SAMLAccount, ServiceUserDetail } from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { describeLastUse, RemovableList } from './removable-list.tsx'

const t = messagesOf('users')

/** The accounts at identity providers that sign a user in. */
export const UserAccounts = ({ user }: { readonly user: ServiceUserDetail }) => (
  <RemovableList
    heading={t('accounts')}
    load={(options) => client.users.listUserSamlAccounts(user.id, {}, options)}
    empty={t('noAccounts')}
    nameOf={({ provider }) => provider.name}
    noteOf={describeAccount}
    action={t('unlink')}
    question={t('unlinkAccount')}
    explain={({ provider }) => t('unlinkText', { name: user.display_name, provider: provider.name })}
    remove={({ id }) => client.users.unlinkUserSamlAccount(user.id, id)}
    done={t('unlinked')}
  />
)

const describeAccount = ({ name, last_used_at: time }: SAMLAccount): string =>
  name === null ? describeLastUse(time) : `${name} · ${describeLastUse(time)}`
