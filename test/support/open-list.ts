import type { TestIdp } from './idp.ts'
import { addSignedIn } from './people.ts'
import { addProvider } from './saml.ts'
import type { TestService } from './service.ts'

/** Adds a connection that everyone may see, one that is hidden, and one in set-up, with calls of the open list. */
export const addConnections = async (service: TestService, shownIdp: TestIdp, hiddenIdp: TestIdp) => {
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const user = await addSignedIn(service)
  const shown = await addProvider(service, shownIdp)
  const hidden = await addProvider(service, hiddenIdp, { disabled_in_client: true })
  const { body: setup } = await service.client('POST', '/api/2/auth/saml-setups', {
    bearer: admin.bearer,
    body: { name: 'New customer' },
  })
  const ids: Readonly<Record<'shown' | 'hidden' | 'inSetup', number>> = {
    shown: shown.id,
    hidden: hidden.id,
    inSetup: setup.saml_provider,
  }
  const call = (path: string, bearer?: string) =>
    service.client('GET', `/api/2/auth/saml${path}`, bearer ? { bearer } : {})
  const list = async (bearer?: string, query = ''): Promise<readonly number[]> =>
    (await call(query, bearer)).body.map(({ id }: { id: number }) => id).sort()
  const get = async (id: number, bearer?: string): Promise<number> => (await call(`/${id}`, bearer)).status
  return { admin, user, ids, list, get, hidden }
}
